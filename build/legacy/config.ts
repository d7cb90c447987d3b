// How the bundles for Electron's Node are made for the legacy runtime: with what Node 16 lacks, and with another place for the engine.
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { ENGINE_PACKAGES } from '../engine-packages.ts';
import { LEGACY_NATIVE } from '../native-entries.ts';
import { inRoot } from '../paths.ts';
import { nativeConfig } from '../targets.ts';

const NODE_TARGET = 'node16';
/** Modules of Node that lack something, and what brings it. */
const SHIMS: Readonly<Record<string, string>> = {
  'node:buffer': 'buffer.ts',
  'node:module': 'module.ts',
  'node:worker_threads': 'worker-threads.ts',
};
const SHIMS_IN = inRoot('build', 'legacy', 'shims');
const GLOBALS = join(SHIMS_IN, 'globals.ts');

/** @param outDir gets a folder `native-legacy` */
export function legacyNativeConfig(entry: readonly [string, string], outDir: string): InlineConfig {
  const { build, plugins = [], ...config } = nativeConfig(entry, outDir);
  return {
    ...config,
    plugins: [...plugins, withShims(inRoot(...entry)), withOlderNodeApi(), withoutThirdParty()],
    build: {
      ...build,
      outDir: join(outDir, LEGACY_NATIVE),
      target: NODE_TARGET,
      rolldownOptions: {
        ...build?.rolldownOptions,
        external: isExternal,
        // Found by its place: hooks on looking for packages came with Node 22.
        output: {
          format: 'es',
          entryFileNames: '[name].mjs',
          codeSplitting: false,
          paths: Object.fromEntries(ENGINE_PACKAGES.map((name) => [name, `./node_modules/${name}/lib/index.js`])),
        },
      },
    },
  };
}

function isExternal(id: string, importer?: string): boolean {
  if ((ENGINE_PACKAGES as readonly string[]).includes(id)) return true;
  return (id.startsWith('node:') || builtinModules.includes(id)) && shimFor(id, importer) === null;
}

/** The shims themselves, and the bundler's own modules, want those of Node. */
const shimFor = (id: string, importer = ''): string | null =>
  importer.startsWith(SHIMS_IN) || importer.startsWith('\0') || SHIMS[id] === undefined
    ? null
    : join(SHIMS_IN, SHIMS[id]);

function withShims(entry: string): Plugin {
  return {
    name: 'sidelite:legacy-shims',
    enforce: 'pre',
    resolveId: shimFor,
    transform(code, id) {
      return id === entry ? { code: `import ${JSON.stringify(GLOBALS)};${code}`, map: null } : null;
    },
  };
}

/** The engine is compiled for Node-API 8: see native.ts. */
function withOlderNodeApi(): Plugin {
  const needed = 'const NODE_API = 10;';
  return {
    name: 'sidelite:legacy-node-api',
    enforce: 'pre',
    transform: {
      filter: { id: /worker\/engines\/native\/runtime\/load\.ts$/ },
      handler(code) {
        if (!code.includes(needed)) this.error(`load.ts no longer contains ${needed}`);
        return { code: code.replace(needed, 'const NODE_API = 8;'), map: null };
      },
    },
  };
}

/** Engines that are only compared with are measured in another Node, and count as not installed in a packaged app. */
function withoutThirdParty(): Plugin {
  const MISSING = '\0missing:';
  return {
    name: 'sidelite:legacy-without-third-party',
    enforce: 'pre',
    resolveId: (id) => (/^(libsql|sqlite3|@tursodatabase\/.*)$/.test(id) ? MISSING + id : null),
    load(id) {
      if (!id.startsWith(MISSING)) return null;
      const message = JSON.stringify(`Cannot find “${id.slice(MISSING.length)}”`);
      return `throw Object.assign(new Error(${message}), { code: 'ERR_MODULE_NOT_FOUND' }); export default null; export const Database = null;`;
    },
  };
}
