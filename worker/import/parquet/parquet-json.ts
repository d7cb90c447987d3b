// Values of nested columns (structs, lists, maps) as JSON, with the exact numbers their leaves have.
import { isListLike, isMapLike } from 'hyparquet/src/schema.js';
import type { SchemaElement, SchemaTree } from 'hyparquet/src/types.js';
import { leafJson } from './parquet-values.ts';
import { isVariant, variantWriter } from './parquet-variant.ts';

type ToJson = (value: unknown) => string;

/** @param tree - the schema tree of the file, with the meaning of its elements. */
export function jsonWriter(tree: SchemaTree): ToJson {
  if (tree.children.length === 0) return leaf(tree.element);
  if (isVariant(tree)) {
    const variant = variantWriter(tree);
    return (value) => (Array.isArray(value) ? list(value, variant) : variant(value));
  }
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
  const struct: ToJson = (value) => object(value, (name) => children.get(name)!);
  return (value) => (Array.isArray(value) ? list(value, struct) : struct(value));
}

const leaf = (element: SchemaElement): ToJson => {
  const one = leafJson(element);
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
