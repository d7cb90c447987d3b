// The dialog in which a column's display format and its time zone are chosen, with some of its values in that form.
import { useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { likelyFormats } from '#shared/display-formats/detect.ts';
import type { SampledColumn } from '#shared/display-formats/detect.ts';
import { DISPLAY_FORMATS } from '#shared/display-formats/formats.ts';
import type { FormatChoice } from '#shared/display-formats/formats.ts';
import { localZone } from '#shared/display-formats/moment-text.ts';
import type { Value } from '#shared/protocol/values.ts';
import { cut, visibleLine, visibleName } from '#shared/visible-text.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { chosenFormat } from '../cells/column-format.ts';
import { commandKeyLabel } from '../commands/commands.ts';
import '../../ui/form-dialog.css';
import './format-dialog.css';

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

export function FormatDialog({ column, choice, zone: usual, onChoose, onClose }: FormatDialogProps): ReactNode {
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
        <div className="form-line">
          <span aria-hidden="true">Format</span>
          <Select selectRef={first} label="Format" value={id} options={optionsOf(likely)} onChoose={setId} />
        </div>
        {format?.hasZone && (
          <div className="form-line">
            <span aria-hidden="true">Time zone</span>
            <Select label="Time zone" value={zone} options={zonesWith(zone)} onChoose={setZone} />
          </div>
        )}
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
      <table className="format-preview" aria-label="Preview">
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
