// Generates schemas and diagrams with any names for tests, without a page that could measure texts.
import fc from 'fast-check';
import type { DiagramTable, Relation, SchemaDiagram } from '#shared/protocol/index.ts';
import { buildGraph, type Graph, type GraphChoice, type MeasureText } from './graph.ts';

export const measure: MeasureText = (text, bold) => text.length * (bold ? 7.5 : 7);

export const WHOLE: GraphChoice = { table: null, steps: 1, likely: true, views: true, expanded: [], around: null };

export const relation = (table: string, target: string, part: Partial<Relation> = {}): Relation => ({
  table,
  columns: [`${target}_id`],
  target,
  targetColumns: ['id'],
  origin: 'declared',
  onUpdate: 'NO ACTION',
  onDelete: 'NO ACTION',
  optional: false,
  single: false,
  problem: null,
  ...part,
});

export const table = (
  name: string,
  columns: readonly string[] = ['id'],
  part: Partial<DiagramTable> = {},
): DiagramTable => ({
  name,
  kind: 'table',
  columns: columns.map((column, at) => ({
    name: column,
    declaredType: 'INTEGER',
    notNull: at === 0,
    primaryKeyIndex: at === 0 ? 1 : 0,
  })),
  ...part,
});

export const graphOf = (
  tables: readonly DiagramTable[],
  relations: readonly Relation[],
  choice: Partial<GraphChoice> = {},
): Graph => buildGraph({ tables, relations, schemaVersion: 1 }, { ...WHOLE, ...choice }, measure);

const HOSTILE = [
  '<script>alert(1)</script>',
  '"; DROP TABLE x --',
  '\u202egnp.exe',
  ']]>',
  '&amp;',
  '\0',
  '\ud800',
  '\uffff',
  'a\nb',
  '',
  '%%{init: {}}%%',
  'title',
  '日本',
  '`x`',
];

export const anyName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);

/** Up to eight tables with any names, and relations among them, including from a table to itself. */
export const anyDiagram: fc.Arbitrary<SchemaDiagram> = fc
  .uniqueArray(fc.tuple(anyName, fc.array(fc.tuple(anyName, anyName, fc.boolean()), { maxLength: 30 })), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 8,
  })
  .chain((parts) => {
    const tables = parts.map(([name, columns]): DiagramTable => ({
      name,
      kind: 'table',
      columns: columns.map(([column, declaredType, notNull], at) => ({
        name: column,
        declaredType,
        notNull,
        primaryKeyIndex: at === 0 ? 1 : 0,
      })),
    }));
    const index = fc.nat(tables.length - 1);
    const relations = fc.array(
      fc
        .tuple(index, index, anyName, fc.boolean(), fc.boolean(), fc.boolean())
        .map(([from, to, column, isLikely, optional, single]) =>
          relation(tables[from]!.name, tables[to]!.name, {
            columns: [column],
            origin: isLikely ? 'likely' : 'declared',
            optional,
            single,
          }),
        ),
      { maxLength: 12 },
    );
    return relations.map((all) => ({ tables, relations: all, schemaVersion: 1 }));
  });
