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
    const map = mapWriter(tree.children[0]!);
    return (value) => (Array.isArray(value) ? list(value, map) : map(value));
  }
  const children = tree.children.map((child) => ({ name: child.element.name, toJson: jsonWriter(child) }));
  const struct: ToJson = (value) =>
    isNothing(value)
      ? 'null'
      : `{${children.map(({ name, toJson }) => `${JSON.stringify(name)}:${toJson((value as Fields)[name])}`).join(',')}}`;
  return (value) => (Array.isArray(value) ? list(value, struct) : struct(value));
}

const leaf = (element: SchemaElement): ToJson => {
  const one = leafJson(element);
  return (value) => (Array.isArray(value) ? list(value, one) : one(value));
};

type Fields = Readonly<Record<string, unknown>>;

/** All entries of a map in their order, also those with the same key. @param entry with its key and its value */
function mapWriter({ element, children }: SchemaTree): ToJson {
  const [key, item] = children.map((child) => ({ name: child.element.name, toJson: jsonWriter(child) }));
  const write = (entry: unknown): string => {
    const name = key!.toJson((entry as Fields)[key!.name]);
    return `${name.startsWith('"') ? name : JSON.stringify(name)}:${item!.toJson((entry as Fields)[item!.name])}`;
  };
  return (value) =>
    isNothing(value) ? 'null' : `{${((value as Fields)[element.name] as readonly unknown[]).map(write).join(',')}}`;
}

const isNothing = (value: unknown): boolean => value === null || value === undefined;

const list = (value: unknown, item: ToJson): string =>
  isNothing(value) ? 'null' : `[${Array.from(value as Iterable<unknown>, (one) => item(one)).join(',')}]`;
