// Finds operations, requests, and events that are declared but never called or heard. Knip cannot see them: to it, their handlers use them.
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync, Visitor, type Argument } from 'oxc-parser';
import { ROOT } from './paths.ts';

/** Names of interfaces that declare what is asked for or heard over ports and channels, each by a text. */
const DECLARES = /(?:Operations|Events|Requests|Letters)$/;
/** Names of what asks for it, or hears it: methods and functions of the clients, the preloads, and main. */
const CALLS = new Set(['call', 'control', 'ask', 'say', 'on', 'listen']);
/** Handlers and those who send events are no callers, whatever they are called; neither are tests. */
const IS_TEST = /\.(test|test-suite)\.tsx?$|\/test-threads\//;

interface SourceFile {
  /** Path within the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Returns one sentence for each. */
export function uncalled(files: readonly SourceFile[]): readonly string[] {
  const declared = new Map<string, string>();
  const names = new Set<string>();
  const patterns: RegExp[] = [];
  for (const { path, text } of files) {
    new Visitor({
      TSInterfaceDeclaration({ id, body }) {
        if (!DECLARES.test(id.name)) return;
        for (const member of body.body)
          if (member.type === 'TSPropertySignature' && member.key.type === 'Literal')
            declared.set(String(member.key.value), `${id.name} in ${path}`);
      },
      CallExpression({ callee, arguments: given }) {
        const called = callee.type === 'MemberExpression' ? callee.property : callee;
        const isCall = (called.type === 'Identifier' || called.type === 'PrivateIdentifier') && CALLS.has(called.name);
        if (isCall) for (const argument of given) noteNames(argument, names, patterns);
      },
    }).visit(parseSync(path, text).program);
  }
  return [...declared]
    .filter(([name]) => !names.has(name) && !patterns.some((pattern) => pattern.test(name)))
    .map(([name, where]) => `Nobody calls or hears '${name}' (${where}).`);
}

function noteNames(argument: Argument, names: Set<string>, patterns: RegExp[]): void {
  if (argument.type === 'Literal' && typeof argument.value === 'string') names.add(argument.value);
  else if (argument.type === 'ConditionalExpression')
    for (const branch of [argument.consequent, argument.alternate]) noteNames(branch, names, patterns);
  // One that begins with a value could be any name.
  else if (argument.type === 'TemplateLiteral' && argument.quasis[0]!.value.raw !== '')
    patterns.push(new RegExp(`^${argument.quasis.map(({ value }) => value.raw.replaceAll('.', '\\.')).join('.*')}$`));
}

export function uncalledHere(): readonly string[] {
  const files = globSync('{shared,worker,renderer,electron}/**/*.{ts,tsx}', { cwd: ROOT })
    .map((file) => file.split(sep).join('/'))
    .filter((path) => !IS_TEST.test(path));
  return uncalled(files.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })));
}
