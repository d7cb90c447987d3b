// The differences of two schemas: their tree, and both texts of the selected object.
import { useId, useMemo, useRef, useState, type ComponentType, type KeyboardEvent, type ReactNode } from 'react';
import type {
  DifferenceStatus,
  ObjectDifference,
  SchemaDifference,
  SettingDifference,
} from '#shared/schema-diff/compare-schemas.ts';
import type { SchemaCompareTab } from '../../workbench/tabs/schema-compare.ts';
import { differs, realChanges } from '#shared/schema-diff/compare-schemas.ts';
import { changeLabel } from '../../workbench/objects/table-change-labels.ts';
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
import { visibleLine, visibleLines, visibleName } from '#shared/visible-text.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { likelyColumnRenames, likelyTableRenames } from '#shared/schema-diff/renames.ts';
import type { ColumnRename, Renames, TableRename } from '#shared/schema-diff/accepted-renames.ts';
import { Button } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import type { SchemaCompareSession, SchemaCompareView } from './schema-compare-session.ts';
import { useSideName } from './side-choice.tsx';
import { alignLines } from '#shared/schema-diff/aligned-lines.ts';

interface TextPairProps {
  readonly left: string | null;
  readonly right: string | null;
  readonly leftTitle: string;
  readonly rightTitle: string;
}

/** Only the beginning of longer texts is shown: a file may contain megabytes in one statement. */
const SHOWN_LINES = 4000;
const SHOWN_CHARS = 400_000;

/** Both texts of an object side by side, with equal lines at the same height. */
function TextPair({ left, right, leftTitle, rightTitle }: TextPairProps): ReactNode {
  const all = useMemo(
    () => alignLines((left ?? '').slice(0, SHOWN_CHARS), (right ?? '').slice(0, SHOWN_CHARS)),
    [left, right],
  );
  const lines = all.slice(0, SHOWN_LINES);
  const isCut = lines.length < all.length || Math.max(left?.length ?? 0, right?.length ?? 0) > SHOWN_CHARS;
  return (
    <PairTable
      label="Both definitions"
      leftTitle={leftTitle}
      rightTitle={rightTitle}
      note={
        isCut && (
          <p className="schema-diff-note">Only the beginning is shown because these definitions are very long.</p>
        )
      }
    >
      {left === null || right === null ? (
        <tr>
          <Whole text={left} tone="del" />
          <Whole text={right} tone="ins" />
        </tr>
      ) : (
        lines.map((line, index) => (
          <tr key={index} data-same={line.isSame}>
            <Line text={line.left} isSame={line.isSame} tone="del" />
            <Line text={line.right} isSame={line.isSame} tone="ins" />
          </tr>
        ))
      )}
    </PairTable>
  );
}

function Whole({ text, tone }: { readonly text: string | null; readonly tone: 'ins' | 'del' }): ReactNode {
  if (text === null) return <td className="schema-diff-none">Does not exist</td>;
  return <td data-tone={tone}>{visibleLines(text.slice(0, SHOWN_CHARS))}</td>;
}

interface LineProps {
  readonly text: string | null;
  readonly isSame: boolean;
  readonly tone: 'ins' | 'del';
}

function Line({ text, isSame, tone }: LineProps): ReactNode {
  if (text === null) return <td className="schema-diff-gap" />;
  return <td {...(!isSame && { 'data-tone': tone })}>{visibleLine(text)}</td>;
}

interface RenameListProps {
  readonly objects: readonly ObjectDifference[];
  readonly renames: Renames;
  readonly onChange: (renames: Renames) => void;
}

/** Possible renames: nothing counts as renamed until the user says so. */
function RenameList({ objects, renames, onChange }: RenameListProps): ReactNode {
  const tables = likelyTableRenames(objects);
  const columns = objects.flatMap(likelyColumnRenames);
  const { tables: renamedTables, columns: renamedColumns } = renames;
  if (tables.length + columns.length + renamedTables.length + renamedColumns.length === 0) return null;
  return (
    <ul className="ruled-bar flush schema-diff-renames" aria-label="Possible renames">
      {tables.map((rename) => (
        <Item
          key={`table ${rename.from}`}
          words={`Table ${pair(rename)} may have been renamed.`}
          label="Treat as renamed"
          onClick={() => onChange({ ...renames, tables: [...renamedTables, rename] })}
        />
      ))}
      {columns.map((rename) => (
        <Item
          key={`column ${rename.table} ${rename.from}`}
          words={`Column ${pair(rename)} ${inTable(rename)} may have been renamed.`}
          label="Treat as renamed"
          onClick={() => onChange({ ...renames, columns: [...renamedColumns, rename] })}
        />
      ))}
      {renamedTables.map((rename) => (
        <Item
          key={`table ${rename.from}`}
          words={`Table ${pair(rename)} is treated as renamed.`}
          label="Treat as different"
          onClick={() => onChange({ ...renames, tables: renamedTables.filter((other) => other !== rename) })}
        />
      ))}
      {renamedColumns.map((rename) => (
        <Item
          key={`column ${rename.table} ${rename.from}`}
          words={`Column ${pair(rename)} ${inTable(rename)} is treated as renamed.`}
          label="Treat as different"
          onClick={() => onChange({ ...renames, columns: renamedColumns.filter((other) => other !== rename) })}
        />
      ))}
    </ul>
  );
}

const pair = ({ from, to }: TableRename): string => `“${visibleName(from)}” → “${visibleName(to)}”`;
const inTable = ({ table }: ColumnRename): string => `in “${visibleName(table)}”`;

interface ItemProps {
  readonly words: string;
  readonly label: string;
  readonly onClick: () => void;
}

function Item({ words, label, onClick }: ItemProps): ReactNode {
  return (
    <li>
      <span>{words}</span>
      <Button size="small" aria-label={`${label}: ${words}`} onClick={onClick}>
        {label}
      </Button>
    </li>
  );
}

interface DifferenceRow {
  readonly id: string;
  readonly level: 1 | 2;
  readonly kind: ObjectDifference['kind'] | 'change' | 'settings' | 'setting';
  readonly label: string;
  /** Null for a row that says what has changed in the object above it. */
  readonly status: DifferenceStatus | null;
  /** The object whose texts are shown; null: the settings. */
  readonly object: ObjectDifference | null;
  /** Null if there are no rows below it. */
  readonly isFolded: boolean | null;
}

interface RowOptions {
  readonly showEqual: boolean;
  readonly filter: string;
  readonly folded: ReadonlySet<string>;
}

/** The differences of two schemas as the rows of a tree. */
const SETTINGS_ROW = 'settings';

function differenceRows(difference: SchemaDifference, options: RowOptions): readonly DifferenceRow[] {
  const objects = difference.objects.flatMap((object) => objectRows(object, options));
  return [...objects, ...settingRows(difference, options)];
}

function objectRows(object: ObjectDifference, { showEqual, filter, folded }: RowOptions): readonly DifferenceRow[] {
  if (!showEqual && !differs(object)) return [];
  const isMatch = (name: string): boolean => name.toLowerCase().includes(filter.toLowerCase());
  const children = object.children.filter(
    ({ status, name }) => (showEqual || status !== 'same') && (isMatch(name) || isMatch(object.name)),
  );
  if (!isMatch(object.name) && children.length === 0) return [];
  const changes = object.table ? realChanges(object.table) : [];
  const isFolded = folded.has(object.id);
  const below: readonly DifferenceRow[] = [
    ...changes.map((change, at): DifferenceRow => ({
      id: `${object.id} change ${at}`,
      level: 2,
      kind: 'change',
      label: changeLabel(change),
      status: null,
      object,
      isFolded: null,
    })),
    ...children.map((child): DifferenceRow => ({ ...rowOf(child), level: 2, isFolded: null })),
  ];
  return [{ ...rowOf(object), isFolded: below.length > 0 ? isFolded : null }, ...(isFolded ? [] : below)];
}

const rowOf = (object: ObjectDifference): DifferenceRow => ({
  id: object.id,
  level: 1,
  kind: object.kind,
  label: object.name,
  status: object.status,
  object,
  isFolded: null,
});

function settingRows({ settings }: SchemaDifference, { showEqual, filter, folded }: RowOptions): DifferenceRow[] {
  const shown = settings.filter(
    ({ name, from, to }) => (showEqual || from !== to) && name.includes(filter.toLowerCase()),
  );
  if (shown.length === 0) return [];
  const isFolded = folded.has(SETTINGS_ROW);
  const row = (id: string, label: string, isSame: boolean): DifferenceRow => ({
    id,
    level: 2,
    kind: 'setting',
    label,
    status: isSame ? 'same' : 'changed',
    object: null,
    isFolded: null,
  });
  const isSame = settings.every(({ from, to }) => from === to);
  const heading: DifferenceRow = { ...row(SETTINGS_ROW, 'Options', isSame), level: 1, kind: 'settings', isFolded };
  return [heading, ...(isFolded ? [] : shown.map(({ name, from, to }) => row(`setting ${name}`, name, from === to)))];
}

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
/** The tree of differences: what would be added, removed, and changed. */
const STATUS_WORDS: Readonly<Record<DifferenceStatus, string>> = {
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

function DifferenceTree({ rows, selectedId, onSelect, onFold }: DifferenceTreeProps): ReactNode {
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
      className="sunken shrink-y anchor quiet-focus schema-diff-tree"
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
      className="row one-line hover-row schema-diff-row"
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
        <span className="fixed dim centered schema-diff-fold" />
      ) : (
        <span className="fixed dim centered schema-diff-fold" onClick={onFold}>
          <Fold size={13} aria-hidden />
        </span>
      )}
      <Icon size={14} aria-hidden />
      <span className="schema-diff-name">{kind === 'change' ? label : visibleName(label) || '(empty name)'}</span>
      {status !== null && <span className="fixed dim tiny schema-diff-status">{STATUS_WORDS[status]}</span>}
    </div>
  );
}

interface DifferencesPartProps {
  readonly tab: SchemaCompareTab;
  readonly session: SchemaCompareSession;
  readonly view: SchemaCompareView;
  readonly difference: SchemaDifference;
  readonly filter: string;
}

export function DifferencesPart({ tab, session, view, difference, filter }: DifferencesPartProps): ReactNode {
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const names = { from: useSideName(tab.from), to: useSideName(tab.to) };
  const rows = useMemo(
    () => differenceRows(difference, { showEqual: tab.showEqual, filter, folded }),
    [difference, tab.showEqual, filter, folded],
  );
  const fold = (id: string): void => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  const selected = rows.find(({ id }) => id === selectedId) ?? rows[0];
  if (rows.length === 0) return <Nothing filter={filter} />;
  return (
    <div className="fill schema-diff-body">
      <DifferenceTree rows={rows} selectedId={selected?.id ?? null} onSelect={setSelectedId} onFold={fold} />
      <div className="stack shrink-x shrink-y">
        <RenameList
          objects={difference.objects}
          renames={view.renames}
          onChange={(renames) => session.setRenames(renames)}
        />
        {selected?.object ? (
          <TextPair
            left={selected.object.from?.sql ?? null}
            right={selected.object.to?.sql ?? null}
            leftTitle={names.from}
            rightTitle={names.to}
          />
        ) : (
          <SettingPair
            settings={difference.settings}
            selected={selected?.id === SETTINGS_ROW ? null : (selected?.label ?? null)}
            leftTitle={names.from}
            rightTitle={names.to}
          />
        )}
      </div>
    </div>
  );
}

function Nothing({ filter }: { readonly filter: string }): ReactNode {
  if (filter !== '') return <p className="schema-diff-note">No differences match the filter.</p>;
  return (
    <CenterMessage
      title="The schemas are the same"
      text="There are no differences in tables, views, indexes, triggers, or options."
    />
  );
}

interface SettingPairProps {
  readonly settings: readonly SettingDifference[];
  /** Name of the selected one; null: all of them. */
  readonly selected: string | null;
  readonly leftTitle: string;
  readonly rightTitle: string;
}

function SettingPair({ settings, selected, leftTitle, rightTitle }: SettingPairProps): ReactNode {
  return (
    <PairTable label="Options" leftTitle={leftTitle} rightTitle={rightTitle}>
      {settings.map(({ name, from, to }) => (
        <tr key={name} data-selected={name === selected}>
          <td {...(from !== to && { 'data-tone': 'del' })}>{`PRAGMA ${name} = ${from}`}</td>
          <td {...(from !== to && { 'data-tone': 'ins' })}>{`PRAGMA ${name} = ${to}`}</td>
        </tr>
      ))}
    </PairTable>
  );
}

// Shows properties of both databases side by side.

interface PairTableProps {
  readonly label: string;
  readonly leftTitle: string;
  readonly rightTitle: string;
  readonly children: ReactNode;
  readonly note?: ReactNode;
}

function PairTable({ label, leftTitle, rightTitle, children, note }: PairTableProps): ReactNode {
  return (
    <div className="fill scroll inner-focus schema-diff-texts" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{leftTitle}</th>
            <th scope="col">{rightTitle}</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {note}
    </div>
  );
}
