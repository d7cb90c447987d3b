// One row of the schema tree.
import {
  ChevronDown,
  ChevronRight,
  Columns3,
  Eye,
  ListTree,
  Table2,
  TableProperties,
  TriangleAlert,
  Zap,
} from 'lucide-react';
import type { CSSProperties, MouseEvent, ReactNode } from 'react';
import type { SchemaObject } from '#shared/protocol/index.ts';
import { cut, visibleName } from '#shared/visible-text.ts';
import { formatCount } from '../../ui/format.ts';
import type { TreeRow } from './tree-rows.ts';

const ICONS = { table: Table2, view: Eye, virtual: TableProperties, shadow: Table2, index: ListTree, trigger: Zap };
const TOOLTIP_CHARS = 800;

interface TreeItemProps {
  readonly row: TreeRow;
  readonly id: string;
  readonly index: number;
  readonly style: CSSProperties;
  readonly filter: string;
  readonly isCursor: boolean;
  readonly isOpen: boolean;
  readonly onFold: () => void;
}

export function TreeItem({ row, id, index, style, filter, isCursor, isOpen, onFold }: TreeItemProps): ReactNode {
  const cursor = isCursor ? ' tree-cursor' : '';
  const shared = { id, style, 'data-index': index, role: 'treeitem', 'aria-selected': isOpen };
  if (row.kind === 'heading') {
    return (
      <div
        {...shared}
        className={`tree-row tree-heading${cursor}`}
        aria-level={1}
        aria-expanded={!row.folded}
        onClick={onFold}
      >
        {row.folded ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
        <span>{row.group}</span>
        <span className="tree-rows">{formatCount(row.count)}</span>
      </div>
    );
  }
  if (row.kind === 'column') {
    return (
      <div {...shared} className={`tree-row tree-deep tree-column${cursor}`} aria-level={3}>
        <Columns3 size={13} />
        <span className="tree-name">
          <Marked text={visibleName(row.column)} match={filter} />
        </span>
      </div>
    );
  }
  const { object, depth, unfolded } = row;
  const Icon = ICONS[object.kind];
  const classes = `tree-row${cursor}${depth > 0 ? ' tree-deep' : ''}${isOpen ? ' tree-open' : ''}`;
  return (
    <div
      {...shared}
      className={classes}
      aria-level={depth + 2}
      title={tooltip(object)}
      {...(object.kind === 'table' && { 'data-table': object.name })}
      {...(unfolded !== null && { 'aria-expanded': unfolded })}
    >
      <Icon size={14} />
      <span className="tree-name">
        <Marked text={visibleName(object.name) || '(empty name)'} match={filter} />
      </span>
      {object.problem && <TriangleAlert className="tree-problem" size={14} aria-label={object.problem} />}
      {object.rows && (
        <span className="tree-rows">{`${object.rows.estimated ? '~' : ''}${formatCount(object.rows.count)}`}</span>
      )}
      {unfolded !== null && <FoldButton unfolded={unfolded} onFold={onFold} />}
    </div>
  );
}

function FoldButton({ unfolded, onFold }: { readonly unfolded: boolean; readonly onFold: () => void }): ReactNode {
  const fold = (event: MouseEvent): void => {
    event.stopPropagation();
    onFold();
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      className="tree-fold"
      aria-label={unfolded ? 'Hide shadow tables' : 'Show shadow tables'}
      onClick={fold}
    >
      {unfolded ? <ChevronDown size={13} /> : <ChevronRight size={13} />}
    </button>
  );
}

function Marked({ text, match }: { readonly text: string; readonly match: string }): ReactNode {
  const at = match ? text.toLowerCase().indexOf(match.toLowerCase()) : -1;
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <span className="tree-match">{text.slice(at, at + match.length)}</span>
      {text.slice(at + match.length)}
    </>
  );
}

function tooltip({ problem, sql, name }: SchemaObject): string {
  return cut([problem, sql ?? name].filter(Boolean).join('\n\n'), TOOLTIP_CHARS);
}
