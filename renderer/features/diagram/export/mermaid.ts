// A diagram as text for Mermaid (mermaid.js.org/syntax/entityRelationshipDiagram.html), which allows fewer names and comments than SQLite.
import { visibleLine } from '#shared/visible-text.ts';
import type { GraphEdge, GraphNode, NodeRow } from '../graph.ts';

interface Drawn {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const KEYS: Readonly<Record<NonNullable<NodeRow['key']>, string>> = {
  primary: ' PK',
  foreign: ' FK',
  both: ' PK, FK',
  likely: ' FK',
};

/** Tables are numbered, with their names as aliases: a name may be a keyword of Mermaid. */
export function diagramMermaid({ nodes, edges }: Drawn): string {
  const ids = new Map(nodes.map(({ name }, at) => [name, `t${at + 1}`]));
  const tables = nodes.map(({ name, rows, hidden }) => {
    const more = hidden > 0 ? [`        any _ ${quoted(`${hidden} more columns`)}`] : [];
    return [
      `    ${ids.get(name)!}[${quoted(name || '(empty name)')}] {`,
      ...rows.map(columnLine),
      ...more,
      '    }',
    ].join('\n');
  });
  const relations = edges.map(({ relation: { table, target, columns, optional, single, origin } }) => {
    const line = origin === 'likely' ? '..' : '--';
    return `    ${ids.get(target)!} ${optional ? '|o' : '||'}${line}${single ? 'o|' : 'o{'} ${ids.get(table)!} : ${quoted(columns.join(', '))}`;
  });
  return ['erDiagram', ...tables, ...relations, ''].join('\n');
}

function columnLine({ column, key }: NodeRow): string {
  const name = word(column.name);
  const notes = [...(name === column.name ? [] : [column.name]), ...(column.notNull ? ['not null'] : [])];
  return `        ${word(column.declaredType) || 'any'} ${name || '_'}${key ? KEYS[key] : ''}${notes.length > 0 ? ` ${quoted(notes.join(', '))}` : ''}`;
}

/** Types and column names are single words in Mermaid. */
function word(text: string): string {
  const letters = visibleLine(text)
    .replace(/[^A-Za-z0-9_\u00c0-\uffff()-]+/g, '_')
    .replace(/^_+$/, '');
  return /^[A-Za-z_\u00c0-\uffff]/.test(letters) || letters === '' ? letters : `_${letters}`;
}

/** Quotes may contain anything but these; HTML characters are replaced by look-alikes, because Mermaid puts labels into a page. */
function quoted(text: string): string {
  const safe = visibleLine(text)
    .replaceAll('"', '”')
    .replaceAll('%', '％')
    .replaceAll('\\', '＼')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('#', '＃')
    .replaceAll(';', '；')
    .replaceAll('`', '’');
  return `"${safe.trim() || ' '}"`;
}
