// Puts engines that Sidelite is compared with beside the bundle, as their packages ship them wherever a browser can load that: they find
// their own files by where they lie, and cost nothing until they are measured. `npm run package` leaves them out: together they weigh more
// than the app.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineFiles } from '#shared/bench/engines.ts';
import { ENGINES } from '#shared/bench/engines.ts';
import { inRoot } from './paths.ts';

/** Engines of one package name the same files. */
function filesOf<Way extends EngineFiles['way']>(way: Way): readonly Extract<EngineFiles, { way: Way }>[] {
  const all = ENGINES.flatMap(({ files }) => files ?? []);
  const isOfWay = (file: EngineFiles): file is Extract<EngineFiles, { way: Way }> => file.way === way;
  return [...new Set(all.filter(isOfWay))];
}

/** Packs what the packaged app lacks on this system: `bundled` and packages, as they lie in its `resources`. */
export function packThirdParty(bundled: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(bundled, join(folder, 'third-party'), { recursive: true });
  for (const name of new Set(filesOf('packages').flatMap(({ folders }) => folders))) {
    const source = inRoot('node_modules', name);
    const filter = (path: string): boolean => !path.slice(source.length).includes('wasm');
    const target = join(folder, 'native', 'node_modules', name);
    if (existsSync(source)) cpSync(source, target, { recursive: true, filter });
  }
}

/** Adds the packages to `folder`. A package that is not installed is left out; whoever measures it is told. */
export async function addThirdParty(folder: string): Promise<void> {
  for (const { folder: name, from, files } of filesOf('copied')) {
    const source = inRoot('node_modules', from);
    if (!existsSync(source)) continue;
    cpSync(source, join(folder, name), {
      recursive: true,
      dereference: true,
      filter: (path) => path === source || files.test(path.slice(source.length + 1).replaceAll('\\', '/')),
    });
  }
  const installed = filesOf('bundled').filter(({ entry }) => existsSync(inRoot(entry)));
  if (installed.length === 0) return;
  const [{ build }, { thirdPartyConfig }] = await Promise.all([import('vite'), import('./targets.ts')]);
  for (const { folder: name, entry } of installed) await build(thirdPartyConfig(entry, join(folder, name)));
}
