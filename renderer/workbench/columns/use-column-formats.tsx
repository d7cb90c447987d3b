// The display formats of a grid's columns: which are chosen and suggested, how to choose another, and the switch to stored values.
import { useMemo, useState, useRef, type ReactNode, type RefObject } from 'react';
import { create } from 'zustand';
import { likelyFormats, type SampledColumn } from '#shared/display-formats/detect.ts';
import { DISPLAY_FORMATS, type FormatChoice } from '#shared/display-formats/formats.ts';
import type { Value } from '#shared/protocol/values.ts';
import { visibleName, cut, visibleLine } from '#shared/visible-text.ts';
import { localZone } from '#shared/display-formats/moment-text.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { cellFormat } from '../../grid/paint/cell-format.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import type { MenuEntry, MenuItem } from '../../ui/menu.tsx';
import { SelectLine } from '../../ui/select.tsx';
import { chosenFormat, type ChosenFormat } from '../cells/column-format.ts';
import { affinityOf } from '../cells/typed-value.ts';
import { commandItem, useCommand, commandKeyLabel } from '../commands/commands.ts';
import { choiceAt, keepChoice, useFormatChoices, type FormatPlace } from './format-memory.ts';
import '../../ui/form-dialog.css';
import './columns.css';

// The dialog in which a column's display format and its time zone are chosen, with some of its values in that form.

interface FormatDialogProps {
  readonly column: SampledColumn;
  /** Null: as stored. */
  readonly choice: FormatChoice | null;
  /** Preselected for dates. */
  readonly zone: string;
  onChoose(choice: FormatChoice | null): void;
  onClose(): void;
}

const AS_STORED = '';

function FormatDialog({ column, choice, zone: usual, onChoose, onClose }: FormatDialogProps): ReactNode {
  const first = useRef<HTMLSelectElement>(null);
  const likely = useMemo(() => likelyFormats(column), [column]);
  const [id, setId] = useState(choice?.format ?? likely[0] ?? AS_STORED);
  const [zone, setZone] = useState(choice?.zone ?? usual);
  const format = DISPLAY_FORMATS.find((each) => each.id === id);
  const chosen = format ? { format: id, zone } : null;
  return (
    <Dialog
      title={`Display “${visibleName(column.name)}” as`}
      initialFocus={first}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => onChoose(chosen)}>
            Apply
          </Button>
        </>
      }
    >
      <div className="stack gap-8 text-color format-dialog">
        <SelectLine selectRef={first} label="Format" value={id} options={optionsOf(likely)} onChoose={setId} />
        {format?.hasZone && <SelectLine label="Time zone" value={zone} options={zonesWith(zone)} onChoose={setZone} />}
        <Preview values={column.values} choice={chosen} />
        {format && <Notes isEdited={format.parse !== undefined} />}
      </div>
    </Dialog>
  );
}

/** The likely ones first. */
function optionsOf(likely: readonly string[]): readonly (readonly [string, string])[] {
  const named = DISPLAY_FORMATS.map(({ id, name }) => [id, name] as const);
  const suggested = likely.flatMap((id) => named.filter(([each]) => each === id));
  return [
    [AS_STORED, 'As stored'],
    ...suggested.map(([id, name]) => [id, `${name} – suggested`] as const),
    ...named.filter(([id]) => !likely.includes(id)),
  ];
}

function zonesWith(zone: string): readonly (readonly [string, string])[] {
  const names = Intl.supportedValuesOf('timeZone');
  const all = names.includes(zone) || zone === 'utc' || zone === 'local' ? names : [zone, ...names];
  return [
    ['utc', 'UTC'],
    ['local', `Local time (${localZone()})`],
    ...all.map((name) => [name, name.replaceAll('_', ' ')] as const),
  ];
}

const MOST_SHOWN = 5;
const MOST_CHARS = 60;

/** Values side by side, as they are stored and as they would be shown. */
function Preview({
  values,
  choice,
}: {
  readonly values: readonly Value[];
  readonly choice: FormatChoice | null;
}): ReactNode {
  const format = chosenFormat(choice ?? undefined);
  const filled = useMemo(() => values.filter((value) => value !== null), [values]);
  if (filled.length === 0) return <p className="dim flush">No values have been read that could be shown here.</p>;
  const unfit = format ? filled.filter((value) => format.textOf(value) === null).length : 0;
  return (
    <>
      <table className="full-width format-preview" aria-label="Preview">
        <thead>
          <tr>
            <th scope="col">Stored</th>
            <th scope="col">Shown</th>
          </tr>
        </thead>
        <tbody>
          {filled.slice(0, MOST_SHOWN).map((value, at) => (
            <tr key={at}>
              <td>{short(valueText(value))}</td>
              <td>{short(format?.textOf(value) ?? valueText(value))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {unfit > 0 && (
        <p className="flush" role="status">
          {formatCount(unfit)} of {plural(filled.length, 'value')} read do not fit this format and are shown as stored.
        </p>
      )}
    </>
  );
}

const short = (text: string): string => visibleLine(cut(text, MOST_CHARS));

/** Which of the two forms is used where. */
function Notes({ isEdited }: { readonly isEdited: boolean }): ReactNode {
  const key = commandKeyLabel('grid.storedValues');
  return (
    <ul className="dim format-notes">
      <li>{isEdited ? 'Cells are edited as they are shown.' : 'Cells are edited as they are stored.'}</li>
      <li>Sorting, filters, copies, and exports use stored values. “Copy as shown” copies this form.</li>
      {key !== undefined && <li>{key} switches between the two forms.</li>}
    </ul>
  );
}

export interface FormattedColumn {
  readonly name: string;
  readonly declaredType: string;
  readonly place: FormatPlace;
}

interface FormattedGrid {
  readonly tabId: string;
  readonly grid: RefObject<GridHandle | null>;
  /** The same list as long as the columns are the same. */
  readonly columns: readonly FormattedColumn[];
  readonly hiddenColumns: number;
  readonly isActive: boolean;
}

type Formats = readonly (ChosenFormat | null)[];

export interface ColumnFormatControl {
  /** What cells show; without entries while stored values are shown. */
  readonly shown: Formats;
  /** What is chosen, whether it is shown or not. */
  readonly chosen: Formats;
  /** Names of the columns with a format. */
  readonly names: readonly string[];
  readonly entries: (column: number) => readonly MenuEntry[];
  /** The dialog in which a format is chosen, while it is open. */
  readonly dialog: ReactNode;
}

const NONE: Formats = [];

/** Tabs whose grids show stored values in spite of chosen formats. */
const useStoredShown = create<{ readonly tabs: ReadonlySet<string> }>()(() => ({ tabs: new Set() }));

function showStored(tabId: string, isShown: boolean): void {
  const others = [...useStoredShown.getState().tabs].filter((id) => id !== tabId);
  useStoredShown.setState({ tabs: new Set(isShown ? [...others, tabId] : others) });
}

export function useColumnFormats(formatted: FormattedGrid): ColumnFormatControl {
  const { tabId, grid, columns, isActive } = formatted;
  const kept = useFormatChoices((state) => state.kept);
  const isStored = useStoredShown(({ tabs }) => tabs.has(tabId));
  const [opened, setOpened] = useState<number | null>(null);
  const chosen = useMemo(() => {
    const all = columns.map(({ place, declaredType }) => chosenFormat(choiceAt(kept, place), affinityOf(declaredType)));
    return all.some((format) => format !== null) ? all : NONE;
  }, [columns, kept]);
  const names = useMemo(() => columns.flatMap(({ name }, at) => (chosen[at] ? [name] : [])), [columns, chosen]);
  const toggle = (): void => {
    showStored(tabId, !isStored);
    announce(isStored ? 'Values are shown in their formats' : 'Stored values are shown');
  };
  useCommand('grid.storedValues', toggle, isActive && chosen !== NONE, isStored);
  useCommand(
    'grid.displayColumn',
    () => setOpened(grid.current?.cursor.column ?? null),
    isActive && columns.length > 0,
  );
  const column = opened === null ? undefined : columns[opened];
  const close = (): void => {
    setOpened(null);
    grid.current?.focus();
  };
  const choose = (at: number, choice: FormatChoice | null): void => {
    showStored(tabId, false);
    keepFormat(columns[at]!, choice);
  };
  const dialog = opened !== null && column && (
    <FormatDialog
      column={{ ...column, values: sampledValues(formatted, opened) }}
      choice={chosen[opened]?.choice ?? null}
      zone={usualZone()}
      onChoose={(choice) => {
        choose(opened, choice);
        close();
      }}
      onClose={close}
    />
  );
  return {
    shown: isStored ? NONE : chosen,
    chosen,
    names,
    dialog,
    entries: (at) => [
      {
        submenu: 'Display as',
        entries: menuEntries(formatted, at, chosen[at] ?? null, {
          isStored: chosen === NONE ? null : isStored,
          choose: (choice) => choose(at, choice),
          open: () => setOpened(at),
        }),
      },
    ],
  };
}

function keepFormat({ name, place }: FormattedColumn, choice: FormatChoice | null): void {
  keepChoice(place, choice);
  announce(`${visibleName(name)} is shown as ${choice ? chosenFormat(choice)?.label : 'stored'}`);
}

interface MenuActions {
  /** Whether stored values are shown in spite of formats; null without any format. */
  readonly isStored: boolean | null;
  choose(choice: FormatChoice | null): void;
  open(): void;
}

const MOST_SUGGESTED = 3;

function menuEntries(
  formatted: FormattedGrid,
  at: number,
  now: ChosenFormat | null,
  { isStored, choose, open }: MenuActions,
): readonly MenuEntry[] {
  const { name, declaredType } = formatted.columns[at]!;
  const likely = likelyFormats({ name, declaredType, values: sampledValues(formatted, at) }).slice(0, MOST_SUGGESTED);
  const suggested = likely
    .filter((id) => id !== now?.choice.format)
    .map((id): MenuItem => ({
      label: DISPLAY_FORMATS.find((format) => format.id === id)!.name,
      hint: 'Suggested',
      checked: false,
      run: () => choose({ format: id, zone: usualZone() }),
    }));
  const current = now ? [{ label: now.label, checked: true, run: () => choose(now.choice) }] : [];
  const stored = { ...commandItem('grid.storedValues'), checked: isStored === true, isSwitch: true };
  return [
    ...current,
    ...suggested,
    { label: 'As stored', checked: now === null, run: () => choose(null) },
    'separator',
    { label: 'Other format or time zone…', run: open },
    ...(isStored === null ? [] : ['separator' as const, stored]),
  ];
}

/** The zone of a format just chosen, which the settings may have for dates. */
const usualZone = (): string => (cellFormat.dates === 'local' ? 'local' : 'utc');

const MOST_ROWS = 400;
const MOST_VALUES = 200;

/** Values of rows near those on screen, as far as they are loaded. */
function sampledValues({ grid: { current }, hiddenColumns }: FormattedGrid, column: number): readonly Value[] {
  if (!current) return [];
  const values: Value[] = [];
  const first = Math.max(0, current.topRow - MOST_ROWS / 4);
  const end = Math.min(current.bounds.rows, first + MOST_ROWS);
  for (let row = first; row < end && values.length < MOST_VALUES; row++) {
    const cell = current.cell(row, column);
    const packed = column + hiddenColumns;
    if (cell && !cell.rows.isPreview(cell.index, packed)) values.push(cell.rows.value(cell.index, packed));
  }
  return values;
}
