// The options of `npm run e2e` that Playwright does not have itself; everything else is passed on to it.

/** The tag of the few stories that `--smoke` runs: open, browse, edit, query, restart. Together they take less than a minute. */
const SMOKE_TAG = '@smoke';

/**
 * What only `npm run test:long` runs: stories with the tag `@long`, and those with `@web-long` in the browser, while their run in the app is part
 * of `npm test`. Playwright matches it with the name of the project, the file, the title, and the tags.
 */
const LONG = '@long|^web .*@web-long';
/** The stories of `npm test`, and those that `npm run test:long` adds. A run by hand has both. */
export const SHORT_STORIES: readonly string[] = ['--grep-invert', LONG];
export const LONG_STORIES: readonly string[] = ['--grep', LONG];

interface EndToEndOptions {
  /** Keep the cores and the disk busy in the meantime. */
  readonly stress: boolean;
  readonly playwrightArgs: readonly string[];
}

/** @throws when `--repeat` has no number after it */
export function readEndToEndOptions(args: readonly string[]): EndToEndOptions {
  const playwrightArgs: string[] = [];
  let stress = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    if (arg === '--stress') stress = true;
    else if (arg === '--smoke') playwrightArgs.push('--project=electron', '--grep', SMOKE_TAG);
    else if (arg === '--repeat') playwrightArgs.push('--repeat-each', String(repeatCount(args[++index])));
    else playwrightArgs.push(arg);
  }
  return { stress, playwrightArgs };
}

function repeatCount(text: string | undefined): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error('--repeat takes a number of times, such as --repeat 20.');
  return count;
}
