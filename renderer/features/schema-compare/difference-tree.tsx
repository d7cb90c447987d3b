// The tree of differences: what would be added, removed, and changed.
import {
  ChevronDown,
  ChevronRight,
  Eye,
  ListTree,
  Pencil,
  Settings2,
  SlidersHorizontal,
  Table2,
  TableProperties,
  Zap,
} from 'lucide-react';
import { useId, useRef } from 'react';
import type { ComponentType, KeyboardEvent, ReactNode } from 'react';
import type { DifferenceStatus } from '#shared/schema-diff/compare-schemas.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';
import type { DifferenceRow } from './difference-rows.ts';

const ROW_PX = 26;
const ICONS: Readonly<Record<DifferenceRow['kind'], ComponentType<{ readonly size: number }>>> = {
  table: Table2,
  view: Eye,
  virtual: TableProperties,
  index: ListTree,
  trigger: Zap,
  change: Pencil,
  settings: Settings2,
  setting: SlidersHorizontal,
};
export const STATUS_WORDS: Readonly<Record<DifferenceStatus, string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  same: 'Same',
};

interface DifferenceTreeProps {
  readonly rows: readonly DifferenceRow[];
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
  readonly onFold: (id: string) => void;
}

export function DifferenceTree({ rows, selectedId, onSelect, onFold }: DifferenceTreeProps): ReactNode {
  const tree = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const { from, to } = useRowWindow(tree, rows.length, ROW_PX);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === selectedId),
  );
  const go = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row || !tree.current) return;
    onSelect(row.id);
    reveal(tree.current, rows.indexOf(row) * ROW_PX);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[at];
    const page = Math.floor((tree.current?.clientHeight ?? 0) / ROW_PX) - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) go(target);
    else if (event.key === 'ArrowRight' && row?.isFolded === true) onFold(row.id);
    else if (event.key === 'ArrowLeft' && row?.isFolded === false) onFold(row.id);
    else if (event.key === 'ArrowLeft' && row?.level === 2) go(parentOf(rows, at));
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={tree}
      className="schema-diff-tree"
      role="tree"
      aria-label="Differences"
      tabIndex={0}
      aria-activedescendant={rows.length > 0 ? `${prefix}-${at}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: rows.length * ROW_PX }} />
      {rows.slice(from, to).map((row, offset) => (
        <Row
          key={row.id}
          row={row}
          id={`${prefix}-${from + offset}`}
          topPx={(from + offset) * ROW_PX}
          isSelected={from + offset === at}
          onSelect={() => onSelect(row.id)}
          onFold={() => onFold(row.id)}
        />
      ))}
    </div>
  );
}

function parentOf(rows: readonly DifferenceRow[], at: number): number {
  let index = at;
  while (index > 0 && rows[index]!.level !== 1) index--;
  return index;
}

function reveal(tree: HTMLElement, topPx: number): void {
  if (topPx < tree.scrollTop) tree.scrollTop = topPx;
  else if (topPx + ROW_PX > tree.scrollTop + tree.clientHeight) tree.scrollTop = topPx + ROW_PX - tree.clientHeight;
}

interface RowProps {
  readonly row: DifferenceRow;
  readonly id: string;
  readonly topPx: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onFold: () => void;
}

function Row({ row, id, topPx, isSelected, onSelect, onFold }: RowProps): ReactNode {
  const { kind, label, level, status, isFolded } = row;
  const Icon = ICONS[kind];
  const Fold = isFolded ? ChevronRight : ChevronDown;
  return (
    <div
      id={id}
      className="schema-diff-row"
      style={{ top: topPx }}
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      {...(isFolded !== null && { 'aria-expanded': !isFolded })}
      data-status={status ?? 'changed'}
      title={label}
      onClick={onSelect}
    >
      {isFolded === null ? (
        <span className="schema-diff-fold" />
      ) : (
        <span className="schema-diff-fold" onClick={onFold}>
          <Fold size={13} aria-hidden />
        </span>
      )}
      <Icon size={14} aria-hidden />
      <span className="schema-diff-name">{kind === 'change' ? label : visibleName(label) || '(empty name)'}</span>
      {status !== null && <span className="schema-diff-status">{STATUS_WORDS[status]}</span>}
    </div>
  );
}
