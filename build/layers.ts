// The order of the rooms inside worker/ and renderer/, and the check that no file imports upward or in a circle, `import()` included: who may
// import whom among the top-level folders is the compiler's business (project references).
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';
import { ROOT } from './paths.ts';

/**
 * Lowest first. A file may import from its own room and from rooms in lower rows; rooms of one row do not know each other. A room is a
 * folder; `features/*` makes each of its folders a room; `.` are the files of the top-level folder itself.
 */
export const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  worker: [
    ['threads', 'sql', 'records'],
    ['engines'],
    ['sessions', 'sample', 'inspector'],
    ['schema'],
    ['readers'],
    ['live', 'history'],
    ['query', 'library'],
    ['import'],
    ['compare', 'explore', 'export', 'health', 'sample-rows', 'schema-change'],
    ['transfer'],
    ['schema-compare', 'index-lab'],
    ['diff'],
    ['merge'],
    ['operations'],
    ['native'],
    ['remote'],
    ['bench'],
    ['.'],
  ],
  renderer: [['ui'], ['grid', 'editor'], ['connection'], ['state'], ['workbench'], ['features/*'], ['app'], ['.']],
};

interface SourceFile {
  /** Path within the repository, with slashes. */
  readonly path: string;
  /** Imports as written, relative ones only. */
  readonly imports: readonly string[];
}

/** One sentence for each import that goes upward or sideways, and for each room without a place in the order. */
export function layerViolations(files: readonly SourceFile[], layers = LAYERS): readonly string[] {
  return files.flatMap(({ path, imports }) => {
    const [top = '', ...rest] = path.split('/');
    const rows = layers[top];
    if (!rows) return [];
    const from = roomOf(rest, rows);
    if (!from) return [`${path} is in a room that has no place in the order of ${top}/.`];
    return imports.flatMap((specifier) => {
      const target = posix.join(posix.dirname(path), specifier);
      const [targetTop, ...targetRest] = target.split('/');
      // Another top-level folder: the compiler says whether that is allowed.
      if (targetTop !== top) return [];
      const to = roomOf(targetRest, rows);
      if (!to || to.name === from.name || to.row < from.row) return [];
      return [`${path} imports ${target}, but ${top}/${from.name} must not know ${top}/${to.name}.`];
    });
  });
}

interface Room {
  readonly name: string;
  readonly row: number;
}

function roomOf(path: readonly string[], rows: readonly (readonly string[])[]): Room | null {
  const [folder = '', inner = ''] = path;
  const isFile = path.length === 1;
  for (const [row, rooms] of rows.entries()) {
    for (const room of rooms) {
      if (isFile ? room === '.' : room === folder) return { name: room, row };
      if (room === `${folder}/*`) return { name: `${folder}/${inner}`, row };
    }
  }
  return null;
}

/** Tests may look at everything. */
const IS_TEST = /\.(test|test-suite)\.tsx?$|\/test-threads\//;

function readSourceFiles(): readonly SourceFile[] {
  return Object.keys(LAYERS)
    .flatMap((top) => globSync(`${top}/**/*.{ts,tsx}`, { cwd: ROOT }))
    .map((file) => file.split(sep).join('/'))
    .filter((path) => !IS_TEST.test(path))
    .map((path) => ({ path, imports: relativeImports(join(ROOT, path)) }));
}

function relativeImports(file: string): readonly string[] {
  const source = readFileSync(file, 'utf8');
  const { module } = parseSync(relative(dirname(file), file), source);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ];
  return specifiers.filter((specifier) => specifier.startsWith('.'));
}

/** One sentence for each circle of imports. The linter finds those without `import()`. */
export function importCircles(files: readonly SourceFile[]): readonly string[] {
  const importsOf = new Map(
    files.map(({ path, imports }) => [path, imports.map((each) => posix.join(posix.dirname(path), each))] as const),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const chain: string[] = [];
  const visit = (path: string): void => {
    if (done.has(path)) return;
    const first = chain.indexOf(path);
    if (first >= 0) return void circles.push(`${[...chain.slice(first), path].join(' imports ')}: a circle.`);
    chain.push(path);
    importsOf.get(path)?.forEach(visit);
    chain.pop();
    done.add(path);
  };
  for (const { path } of files) visit(path);
  return circles;
}

export function layerViolationsHere(): readonly string[] {
  const files = readSourceFiles();
  return [...layerViolations(files), ...importCircles(files)];
}
