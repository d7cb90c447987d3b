// Values of nested columns (structs, lists, maps) as JSON, with the exact numbers their leaves have.
import { isListLike, isMapLike } from 'hyparquet/src/schema.js';
import type { SchemaTree } from 'hyparquet/src/types.js';
import { FIELD } from '../../records/record-batch.ts';
import { hex, valueReader, type ReadValue } from './parquet-values.ts';

type ToJson = (value: unknown) => string;

/** @param tree - the schema tree of the file, with the meaning of its elements. */
export function jsonWriter(tree: SchemaTree): ToJson {
  if (tree.children.length === 0) return leaf(valueReader(tree.element));
  if (isListLike(tree)) {
    const repeated = tree.children[0]!;
    const item = jsonWriter(repeated.children.length === 1 ? repeated.children[0]! : repeated);
    return (value) => list(value, item);
  }
  if (isMapLike(tree)) {
    const item = jsonWriter(tree.children[0]!.children[1]!);
    return (value) => object(value, () => item);
  }
  const children = new Map(tree.children.map((child) => [child.element.name, jsonWriter(child)]));
  const struct: ToJson = (value) => object(value, (name) => children.get(name) ?? any);
  return (value) => (Array.isArray(value) ? list(value, struct) : struct(value));
}

const leaf = (read: ReadValue): ToJson => {
  const one: ToJson = (value) => {
    const { kind, content } = read(value);
    if (kind === FIELD.null) return 'null';
    if (kind === FIELD.true) return 'true';
    if (kind === FIELD.false) return 'false';
    if (kind === FIELD.blob) return JSON.stringify(hex(content as Uint8Array));
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
    return kind === FIELD.number || kind === FIELD.json ? text : JSON.stringify(text);
  };
  return (value) => (Array.isArray(value) ? list(value, one) : one(value));
};

const list = (value: unknown, item: ToJson): string =>
  value === null || value === undefined
    ? 'null'
    : `[${Array.from(value as Iterable<unknown>, (one) => item(one)).join(',')}]`;

const object = (value: unknown, item: (name: string) => ToJson): string =>
  value === null || value === undefined
    ? 'null'
    : `{${Object.entries(value)
        .map(([name, one]) => `${JSON.stringify(name)}:${item(name)(one)}`)
        .join(',')}}`;

/** Writes values whose name the schema does not have: Variants bring their own. */
const any: ToJson = (value) => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return JSON.stringify(hex(value));
  if (Array.isArray(value)) return list(value, any);
  if (typeof value === 'object' && !(value instanceof Date)) return object(value, () => any);
  return JSON.stringify(value) ?? 'null';
};
