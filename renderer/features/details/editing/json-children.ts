// The direct members of a JSON object or array, found when its branch of the tree is opened: before that, deep or long values cost nothing.
import { tokenAt, type JsonToken } from './json-text.ts';

export const MAX_CHILDREN = 500;

export interface JsonNode {
  /** The name as it is written, without quotes, or the index; empty for the whole. */
  readonly label: string;
  readonly kind: 'object' | 'array' | 'string' | 'word';
  readonly from: number;
  /** End of the token; for an object or array, the position after its opening bracket. */
  readonly to: number;
}

interface JsonChildren {
  readonly nodes: readonly JsonNode[];
  readonly count: number;
}

/** @param text valid JSON */
export const jsonRoot = (text: string): JsonNode => nodeOf('', tokenAt(text, 0)!);

/** @param node an object or an array */
export function jsonChildren(text: string, { kind, to }: JsonNode): JsonChildren {
  const nodes: JsonNode[] = [];
  let count = 0;
  let label = '';
  let isValueNext = kind === 'array';
  for (let token = tokenAt(text, to), depth = 0; token; token = tokenAt(text, token.to)) {
    const isOpening = token.kind === '[' || token.kind === '{';
    if (depth === 0 && isValue(token)) {
      if (!isValueNext) label = text.slice(token.from + 1, token.to - 1);
      else {
        if (nodes.length < MAX_CHILDREN) nodes.push(nodeOf(kind === 'array' ? String(count) : label, token));
        count++;
      }
    }
    if (depth === 0 && token.kind === ':') isValueNext = true;
    if (depth === 0 && token.kind === ',') isValueNext = kind === 'array';
    if (isOpening) depth++;
    if (token.kind === ']' || token.kind === '}') {
      if (depth === 0) break;
      depth--;
    }
  }
  return { nodes, count };
}

const isValue = ({ kind }: JsonToken): boolean => kind === 'string' || kind === 'word' || kind === '[' || kind === '{';

function nodeOf(label: string, { kind, from, to }: JsonToken): JsonNode {
  return {
    label,
    kind: kind === '{' ? 'object' : kind === '[' ? 'array' : kind === 'string' ? 'string' : 'word',
    from,
    to,
  };
}
