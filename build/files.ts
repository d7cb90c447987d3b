// `npm run files FOLDER`: every file of a folder with what its first comment says it holds.
import { globSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { inRoot, ROOT } from './paths.ts';
import { command } from './tool.ts';

/** Tests are named after the file that they test. */
const IS_LISTED = /(?<!\.test)\.(ts|tsx|mjs|cjs|js|h|css)$/;
/** Styles are named after the component or the feature that loads them; others say what they are for. */
const MAY_SAY_NOTHING = /\.css$/;
const ROOMS = 'shared,worker,renderer,electron,e2e,build';

/** First sentence of the comment at the top of a file; empty if the file begins with anything else. */
export function headline(text: string): string {
  const comment = /^(?:#!.*\n)?((?:\/\/.*\n)+|\/\*[^]*?\*\/)/.exec(text)?.[1] ?? '';
  const words = comment.replaceAll(/^\s*(?:\/\/|\/?\*+\/?)|\*\/$/gm, '').replaceAll(/\s+/g, ' ');
  return /^.*?[^.]\.(?= [A-Z]|$)|^.*/.exec(words.trim())![0];
}

function listed(pattern: string): readonly string[] {
  const paths = globSync(pattern, { cwd: ROOT }).map((path) => path.split(sep).join('/'));
  return paths.filter((path) => IS_LISTED.test(path) && !path.includes('node_modules/')).sort();
}

const headlineOf = (path: string): string => headline(readFileSync(inRoot(path), 'utf8'));

/** One sentence for each file that does not begin with a comment. */
export function withoutHeadline(): readonly string[] {
  const paths = listed(`{${ROOMS}}/**/*`).filter((path) => !MAY_SAY_NOTHING.test(path) && headlineOf(path) === '');
  return paths.map((path) => `${path} does not begin with a comment that says what the file holds.`);
}

await command(import.meta, async ([folder]) => {
  const room = folder === undefined ? `{${ROOMS}}` : relative(ROOT, folder).split(sep).join('/');
  const paths = listed(`${room}/**/*`);
  for (const path of paths) console.log(`${path}  ${headlineOf(path)}`);
  return paths.length > 0 ? 0 : 1;
});
