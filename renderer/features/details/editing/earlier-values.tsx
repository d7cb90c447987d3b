// Earlier values of the cell, from the history: each beside the current one, and a way back to it.
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { alignLists } from '#shared/schema-diff/aligned-lines.ts';
import { cut, visibleLine, visibleText } from '#shared/visible-text.ts';
import { isRawText, toAppError, type EarlierValue, type Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { valueText } from '../../../grid/input/value-text.ts';
import type { Detail } from '../../../state/slices/detail.ts';
import { Button } from '../../../ui/button.tsx';
import { formatMoment } from '../../../ui/format.ts';
import { Select } from '../../../ui/select.tsx';
import { hexDump, type HexLayout } from '../content.ts';
import { storeValue } from './store-value.ts';

/** A difference shows no more than this of either value. */
const SHOWN_CHARS = 20_000;
const SHOWN_LINES = 1000;
const SHOWN_BYTES = 2048;
const LAYOUT: HexLayout = { bytesPerLine: 8, isCompact: false };

interface EarlierValuesProps {
  readonly detail: Detail;
  readonly value: Value;
  readonly onClose: () => void;
}

export function EarlierValues({ detail, value, onClose }: EarlierValuesProps): ReactNode {
  const { past, error } = usePast(detail);
  const [chosen, setChosen] = useState('0');
  const [failure, setFailure] = useState<string | null>(null);
  const earlier = past?.values[Number(chosen)] ?? past?.values[0];
  const isFixed = typeof detail.editing === 'string';
  const restore = (): void => {
    if (earlier) void storeValue(detail, value, earlier.value).then(setFailure);
  };
  return (
    <section className="value-editor" aria-label="Earlier values">
      {error !== null && <p className="value-note">{error}</p>}
      {past && !earlier && <p className="value-note">The history has no earlier value of this cell.</p>}
      {past && earlier && (
        <>
          <div className="value-form-bar">
            <Select label="Earlier value" value={chosen} options={past.values.map(optionOf)} onChoose={setChosen} />
          </div>
          <Difference before={earlier.value} after={value} />
          <p className="value-note">{`Replaced by “${visibleLine(earlier.title)}” (${visibleLine(earlier.windowTitle)}).`}</p>
        </>
      )}
      {past?.why && <p className="value-note">{visibleText(past.why)}</p>}
      {failure !== null && (
        <p className="value-failure" role="alert">
          {visibleText(failure)}
        </p>
      )}
      <div className="value-buttons">
        {earlier && !isFixed && (
          <Button variant="primary" size="small" onClick={restore}>
            Restore this value
          </Button>
        )}
        <Button size="small" onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  );
}

const optionOf = ({ atMs, value }: EarlierValue, at: number): readonly [string, string] => [
  String(at),
  `${formatMoment(atMs)}  ${cut(visibleLine(textOf(value)), 40)}`,
];

interface Past {
  readonly values: readonly EarlierValue[];
  readonly why: string | null;
}

function usePast({ database, source, value }: Detail): { readonly past: Past | null; readonly error: string | null } {
  const [state, setState] = useState<{ past: Past | null; error: string | null }>({ past: null, error: null });
  const cell = source.kind === 'cell' ? source.cell : null;
  useEffect(() => {
    if (!cell) return;
    let isWanted = true;
    client.call('cell.past', { database, cell }).then(
      (past) => isWanted && setState({ past, error: null }),
      (thrown: unknown) => isWanted && setState({ past: null, error: toAppError(thrown).message }),
    );
    return () => void (isWanted = false);
  }, [database, cell, value]);
  return state;
}

function Difference({ before, after }: { readonly before: Value; readonly after: Value }): ReactNode {
  const pairs = useMemo(() => alignLists(linesOf(before), linesOf(after)).slice(0, SHOWN_LINES), [before, after]);
  return (
    <table className="scroll value-difference">
      <thead>
        <tr>
          <th scope="col">Then</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair, at) => (
          <tr key={at} className={pair.isSame ? undefined : 'value-difference-changed'}>
            <td>{pair.left ?? ''}</td>
            <td>{pair.right ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const linesOf = (value: Value): readonly string[] => cut(textOf(value), SHOWN_CHARS).split('\n');

function textOf(value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return hexDump(value, SHOWN_BYTES, LAYOUT);
  return isRawText(value) ? hexDump(value.textBytes, SHOWN_BYTES, LAYOUT) : valueText(value);
}
