// The notices of everything that is shipped: one file, written with each bundle out of what really went into it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { ENGINE_PACKAGES } from './engine-packages.ts';
import { inRoot } from './paths.ts';

/** Its name in `dist/app` and in the `resources` of the packaged app. */
export const LICENSES = 'licenses.md';

/** Shipped as they are, or compiled into what is. */
const UNBUNDLED = [...ENGINE_PACKAGES, 'node-addon-api'];

/** What a package's own license file lacks: the wasm build has none, and both engines contain the work of others. */
const NOTICES = inRoot('build', 'notices');

/** Adds to `packages` the name of each package of which code is in the bundle. */
export function collectPackages(packages: Set<string>): Plugin {
  return {
    name: 'sidelite:collect-packages',
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        for (const module of part.moduleIds) for (const name of packageOf(module)) packages.add(name);
      }
    },
  };
}

/** The innermost package a file belongs to, as a list of one; an empty list for a file of ours. */
export function packageOf(path: string): readonly string[] {
  const [, inside] = /^.*[/\\]node_modules[/\\](.+)$/.exec(path) ?? [];
  const [first, second] = inside?.split(/[/\\]/) ?? [];
  if (first === undefined) return [];
  return [first.startsWith('@') && second !== undefined ? `${first}/${second}` : first];
}

/** @throws when there is neither a license file in a package nor a notice of ours: nothing is shipped without one. */
export function writeLicenses(file: string, bundled: ReadonlySet<string>): void {
  const names = [...new Set([...bundled, ...UNBUNDLED])].sort();
  const own = readFileSync(inRoot('LICENSE'), 'utf8').trim();
  const sections = [
    `# Licenses\n\n${own}\n\nSidelite contains the work of others, under the licenses below.`,
    ...names.map(section),
  ];
  writeFileSync(file, `${sections.join('\n\n')}\n`);
}

function section(name: string): string {
  const folder = inRoot('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    license?: string;
  };
  const licenseFile = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file));
  const notices = readdirSync(NOTICES).filter((file) => file.startsWith(`${basename(name)}.`));
  const texts = [
    ...(licenseFile === undefined ? [] : [join(folder, licenseFile)]),
    ...notices.map((file) => join(NOTICES, file)),
  ].map((path) => readFileSync(path, 'utf8').trim());
  if (texts.length === 0)
    throw new Error(`${name} has no license file: write its notice into build/notices/${basename(name)}.md`);
  return [`## ${name} ${version}${license === undefined ? '' : ` (${license})`}`, ...texts].join('\n\n');
}
