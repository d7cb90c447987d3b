// What Node 16 lacks of `node:module`. The hook is asked for what is required; modules import no package in the legacy bundles, except the
// engine, by its place.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

interface Found {
  readonly url: string;
}

interface Hooks {
  resolve(
    specifier: string,
    context: { readonly conditions: readonly string[] },
    next: (specifier: string) => Found,
  ): Found;
}

type Resolve = (this: unknown, specifier: string, ...rest: unknown[]) => string;

export function registerHooks({ resolve }: Hooks): void {
  const loader = createRequire(import.meta.url)('node:module') as { _resolveFilename: Resolve };
  const find = loader._resolveFilename;
  loader._resolveFilename = function (specifier, ...rest) {
    const path = find.call(this, specifier, ...rest);
    const url = path.includes('/') ? pathToFileURL(path).href : `node:${path}`;
    resolve(specifier, { conditions: ['require'] }, () => ({ url }));
    return path;
  };
}
