// The readings of a file that are near, side by side with some of their rows: the one that is used, and what is also possible.
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { FileReading } from '#shared/protocol/index.ts';
import { visibleLine } from '#shared/visible-text.ts';
import { plural } from '../../ui/format.ts';
import type { ImportSession } from './import-session.ts';
import type { ImportView } from './import-view.ts';
import { readingAt } from './near-readings.ts';
import './readings-part.css';

interface ReadingsPartProps {
  readonly session: ImportSession;
  readonly view: ImportView;
}

export function ReadingsPart({ session, view: { near, options, running } }: ReadingsPartProps): ReactNode {
  const name = useId();
  if (near === null || options === null) return null;
  const used = readingAt(near, options);
  return (
    <fieldset className="gap-8 fixed sunken import-readings" disabled={running !== null}>
      <legend className="visually-hidden">Ways to read this file</legend>
      {near.readings.map((reading, at) => (
        <ReadingCard
          key={reading.title}
          name={name}
          reading={reading}
          isDetected={at === 0}
          isUsed={at === used}
          onChoose={() => void session.chooseReading(at)}
        />
      ))}
    </fieldset>
  );
}

interface ReadingCardProps {
  /** Name of the group of radio buttons. */
  readonly name: string;
  readonly reading: FileReading;
  readonly isDetected: boolean;
  readonly isUsed: boolean;
  readonly onChoose: () => void;
}

function ReadingCard({ name, reading, isDetected, isUsed, onChoose }: ReadingCardProps): ReactNode {
  const { title, reason, columns, columnCount, rows } = reading;
  const reasonId = useId();
  return (
    <div className={isUsed ? 'import-reading used' : 'import-reading'}>
      <label className="import-reading-title" title={title}>
        <input type="radio" name={name} checked={isUsed} aria-describedby={reasonId} onChange={onChoose} />
        {title} <span className="import-reading-count">{plural(columnCount, 'column')}</span>
      </label>
      <p id={reasonId} className="small faint import-reading-reason" title={reason}>
        {isDetected ? 'Detected' : 'Also possible'}: {reason}
      </p>
      <table aria-label={`First rows: ${title}`}>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th key={place} scope="col">
                {visibleLine(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((texts, row) => (
            <tr key={row}>
              {columns.map((_, place) => (
                <td key={place}>{visibleLine(texts[place] ?? '')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
