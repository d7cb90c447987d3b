// A planted violation fails the lint of this repository; what only looks like one does not.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inRoot } from '../paths.ts';

/** Each is one file; all of them are linted in one run. */
const PLANTED = {
  'checked-errors': {
    refused: [
      'try { work(); } catch (thrown) { tell((thrown as AppError).message); }',
      'const { code } = thrown as AppError;',
      'const error = thrown as unknown as AppError;',
      'const error = thrown as ErrorData;',
      'const error = <AppError>thrown;',
      'void work().catch((thrown: AppError) => tell(thrown.code));',
      'void work().then(nothing, (thrown: { code: string }) => tell(thrown.code));',
    ],
    accepted: [
      'const { code } = toAppError(thrown);',
      'void work().catch((thrown: unknown) => tell(toAppError(thrown).code));',
      'void work().then((reply: Reply) => tell(reply), toAppError);',
      'const name = value as string;',
    ],
  },
  'table-functions': {
    refused: [
      "const sql = 'SELECT name FROM pragma_table_xinfo(?)';",
      'const sql = `SELECT s.name FROM main.sqlite_schema s JOIN pragma_index_list(s.name) i ON ${condition}`;',
      'const sql = `DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;',
      "const size = 'SELECT page_count * page_size FROM temp.pragma_page_count, pragma_page_size';",
      "const sql = 'SELECT sum(pgsize) FROM dbstat WHERE aggregate = 1';",
      "const from = 'json_each(?1) AS rows';",
    ],
    accepted: [
      "const sql = 'SELECT name FROM temp.pragma_table_xinfo(?)';",
      "const sql = 'PRAGMA table_xinfo(t)';",
      'const from = `temp.json_each(${parameter}) AS rows`;',
      "const tables = new Set(['json_each', 'json_tree', 'pragma_optimize']);",
    ],
  },
  'text-decisions': {
    refused: [
      "if (error.message.includes('not found')) again();",
      "if (error.message.startsWith('No ')) again();",
      'if (/did not start/.test(cell.why!)) hide();',
      "if (work.title === 'Rows of t') stop();",
      'if (work.title === titleOf(table)) stop();',
      'if (step.windowTitle !== own.windowTitle) tell();',
      "const short = why.replace(/ Run it .*$/, '');",
      "const short = error.message.replace(' Nothing was changed.', '');",
      'const name = /“(.+)” is taken/.exec(message)?.[1];',
      'const kind = KINDS.get(event.what);',
      'if (KNOWN.includes(error.message)) again();',
      "switch (error.message) { case 'ok': again(); }",
    ],
    accepted: [
      "if (error.code === 'not-found') again();",
      "if (message.t === 'done') again();",
      'if (error.message === null || why !== undefined) again();',
      "if (typeof message === 'string') again();",
      "const line = message.replace(/\\s+/g, ' ');",
      "const escaped = title.replaceAll('&', '&&');",
      "const [first] = message.split('\\n');",
      'const ends = /[.!?]$/.test(sentence);',
      'const at = message.length;',
    ],
  },
  'whole-comments': {
    refused: [
      '/** Of the next record. */\nconst line = 1;',
      '// Of the file.\nconst size = 1;',
      'const size = 1; /* Of the file. */',
    ],
    accepted: [
      '/** Line of the next record. */\nconst line = 1;',
      '// Often there is none.\nagain();',
      '// The two halves are read, the second one\n// Of which may be empty.\nagain();',
      "const text = '// Of the file';",
    ],
  },
} as const;

const MAX_LINES = 500;
const lines = (count: number): string => 'again();\n'.repeat(count);
/** Content by file name. */
const LENGTHS = {
  'too-long.ts': lines(MAX_LINES + 1),
  'too-long.tsx': lines(MAX_LINES + 1),
  'long-enough.ts': lines(MAX_LINES),
  'too-long.test.ts': lines(MAX_LINES + 1),
};

type RuleName = keyof typeof PLANTED;
const RULES = Object.keys(PLANTED) as RuleName[];
const each = (expected: 'refused' | 'accepted') =>
  RULES.flatMap((rule) =>
    PLANTED[rule][expected].map((code, at) => [rule, code, `${rule}-${expected}-${at}.ts`] as const),
  );

let folder = '';
let found: ReadonlySet<string> = new Set();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-lint-'));
  for (const [, code, file] of [...each('refused'), ...each('accepted')])
    writeFileSync(join(folder, file), `${code}\n`);
  for (const [file, code] of Object.entries(LENGTHS)) writeFileSync(join(folder, file), code);
  const { stdout } = spawnSync(
    process.execPath,
    [inRoot('node_modules', 'oxlint', 'bin', 'oxlint'), '--config', inRoot('.oxlintrc.json'), '--format=json', folder],
    { encoding: 'utf8', maxBuffer: 64 << 20 },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string; filename: string }[] };
  found = new Set(diagnostics.map(({ code, filename }) => `${code} ${filename.split(/[\\/]/).at(-1)}`));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('whoever switches the rule about texts off says why', () => {
  const files = globSync('{shared,worker,renderer,electron,build}/**/*.{ts,tsx}', { cwd: inRoot() });
  const lines = files.flatMap((file) => readFileSync(inRoot(file), 'utf8').split('\n'));
  const comments = lines.filter((line) => /^\s*(?:\/[/*]|\{\/\*) oxlint-disable.* sidelite\/text-decisions/.test(line));
  expect(comments.length).toBeGreaterThan(5);
  expect(comments.filter((line) => !/ -- \S+ \S+/.test(line))).toEqual([]);
});

test('a file has at most 500 lines', () => {
  const refused = Object.keys(LENGTHS).filter((file) => found.has(`eslint(max-lines) ${file}`));
  expect(refused).toEqual(['too-long.ts', 'too-long.tsx', 'too-long.test.ts']);
});

// The linter does not read them.
test('a stylesheet has at most 500 lines', () => {
  const files = globSync('renderer/**/*.css', { cwd: inRoot() });
  expect(files.length).toBeGreaterThan(50);
  const isTooLong = (file: string): boolean => readFileSync(inRoot(file), 'utf8').split('\n').length - 1 > MAX_LINES;
  expect(files.filter(isTooLong)).toEqual([]);
});

describe('lint', () => {
  test.each(each('refused'))('%s refuses %s', (rule, _code, file) => {
    expect([...found]).toContain(`sidelite(${rule}) ${file}`);
  });

  test.each(each('accepted'))('%s has nothing against %s', (rule, _code, file) => {
    expect([...found]).not.toContain(`sidelite(${rule}) ${file}`);
  });
});
