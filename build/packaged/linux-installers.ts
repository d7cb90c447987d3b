// How the installers of Linux start the app, asked of electron-builder without making any: that takes tools it would have to download.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { builderConfig } from '../builder.config.ts';
import { inRoot } from '../paths.ts';
import type { Runtime } from '../runtime.ts';

/** Problems that make an installation start without its sandbox, without a menu entry that belongs to its windows, or not at all. */
export async function wrongInLinuxInstallers(program: string, runtime: Runtime): Promise<string[]> {
  const { build, Platform } = await import('electron-builder');
  const config = { ...builderConfig(runtime), extraMetadata: { homepage: 'https://example.org' } };
  const entries: string[] = [];
  const scripts: string[] = [];
  await build({
    projectDir: inRoot(),
    prepackaged: dirname(program),
    targets: Platform.LINUX.createTarget(['AppImage', 'deb']),
    config,
    publish: 'never',
    effectiveOptionComputed(options: { readonly desktop: string } | readonly [args: readonly string[], entry: string]) {
      if ('desktop' in options) entries.push(options.desktop);
      else {
        const [args, entry] = options;
        entries.push(readFileSync(entry, 'utf8'));
        scripts.push(readFileSync(args[args.indexOf('--after-install') + 1]!, 'utf8'));
      }
      return Promise.resolve(true); // nothing is made
    },
  });
  const lines = entries.map((entry) => /^Exec=.*$/m.exec(entry)?.[0]);
  const wanted = ['Exec=AppRun %U', 'Exec=/opt/Sidelite/sidelite %U'];
  return [
    ...wanted.filter((line) => !lines.includes(line)).map((line) => `${lines.join(', ')} instead of ${line}`),
    ...entries
      .filter((entry) => !/^StartupWMClass=sidelite$/m.test(entry))
      .map(
        (entry) =>
          `${/^StartupWMClass=.*$/m.exec(entry)?.[0] ?? 'No StartupWMClass'} instead of StartupWMClass=sidelite`,
      ),
    ...(scripts.length === 1 && scripts[0]!.includes('setpriv --reuid=65534')
      ? []
      : ['The Debian package asks as root whether there is a sandbox']),
  ];
}
