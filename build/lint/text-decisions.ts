// Refuses decisions by the words of a text for people: one day it is reworded, translated or cut, and nothing shows what relied on it.
import type { Rule, Value } from './oxlint.ts';

/** Names of what holds words for people. Titles and labels are no ids either. */
const TEXTS = new Set(['databaseName', 'label', 'message', 'sentence', 'title', 'what', 'why', 'windowTitle']);
/** Methods that look for something in a text. */
const LOOKS = new Set([
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'split',
  'startsWith',
]);
/** Methods that look a text up, or for a pattern in it. */
const LOOKS_UP = new Set(['exec', 'get', 'has', 'includes', 'indexOf', 'test']);
const COMPARES = new Set(['==', '===', '!=', '!==']);

export const textDecisions: Rule = {
  create: (context) => {
    const report = (node: Value, text: string): void =>
      context.report({
        node,
        message: `“${text}” is a text for people: decide by a code, an id or a detail beside it. Where the words themselves are what matters, disable the rule there and say why.`,
      });
    return {
      BinaryExpression: (node) => {
        if (!COMPARES.has(node.operator) || isNothing(node.left) || isNothing(node.right)) return;
        const text = textName(node.left) ?? textName(node.right);
        if (text !== null) report(node, text);
      },
      CallExpression: (node) => {
        const callee = bare(node.callee);
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        const { name } = callee.property;
        const [argument] = node.arguments;
        if (!argument) return;
        const looked = LOOKS.has(name) && !isWordless(argument) ? textName(callee.object) : null;
        const lookedUp = LOOKS_UP.has(name) && !isWordless(callee.object) ? textName(argument) : null;
        if (looked !== null || lookedUp !== null) report(node, (looked ?? lookedUp)!);
      },
      SwitchStatement: ({ discriminant }) => {
        const text = textName(discriminant);
        if (text !== null) report(discriminant, text);
      },
    };
  },
};

/** `error.message`, `result?.why!`, `message`: the name of the text, or null for anything else. */
function textName(node: Value): string | null {
  const value = bare(node);
  if (value.type === 'Identifier') return TEXTS.has(value.name) ? value.name : null;
  const property = value.type === 'MemberExpression' ? value.property : null;
  return property?.type === 'Identifier' && TEXTS.has(property.name) ? property.name : null;
}

function bare(node: Value): Value {
  switch (node.type) {
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return bare(node.expression);
    default:
      return node;
  }
}

/** Whether there is a text at all is no matter of words. */
const isNothing = (node: Value): boolean =>
  (node.type === 'Literal' && (node.value === null || node.value === '')) ||
  (node.type === 'Identifier' && node.name === 'undefined') ||
  (node.type === 'UnaryExpression' && node.operator === 'typeof');

/** Spaces, line ends and punctuation: to set a text is not to understand it. */
function isWordless(node: Value): boolean {
  if (node.type !== 'Literal') return false;
  const pattern = 'regex' in node ? node.regex.pattern.replace(/\\p\{[^}]*\}|\\./g, '') : node.value;
  return typeof pattern === 'string' && !/\p{L}{2}/u.test(pattern);
}
