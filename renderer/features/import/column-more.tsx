// Further settings of a column (expression, default, key), and everything that was counted in it.
import { Popover } from '@base-ui/react/popover';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ColumnFacts } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { CheckLine, TextLine } from './form-parts.tsx';
import type { ImportSession } from './import-session.ts';
import type { ShownColumn } from './shown-column.ts';

interface ColumnMoreProps {
  readonly session: ImportSession;
  readonly column: ShownColumn;
  readonly of: 'new-table' | 'new-column' | 'column';
}

export function ColumnMore({ session, column, of }: ColumnMoreProps): ReactNode {
  const { choice, at, facts } = column;
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <button type="button" className="icon-button" aria-label={`More about ${choice.source}`}>
            <Ellipsis size={14} aria-hidden />
          </button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner className="menu-positioner" align="end" sideOffset={4} positionMethod="fixed">
          <Popover.Popup className="menu import-more">
            <Popover.Title className="import-more-title">{choice.source}</Popover.Title>
            <TextLine
              label="Expression"
              note={
                choice.isAdded
                  ? 'SQL expression for the value in each row, such as date().'
                  : 'SQL expression in which “value” is the cell in the file, such as trim(value).'
              }
              value={choice.expression}
              placeholder={choice.isAdded ? 'NULL' : 'value'}
              onCommit={(expression) => session.setColumn(at, { expression: expression.trim() })}
            />
            {of !== 'column' && <DefaultLine session={session} column={column} />}
            {of === 'new-table' && <KeyLine session={session} column={column} />}
            {of !== 'column' && <NotNullLine session={session} column={column} />}
            {of === 'new-table' && <PositionLine session={session} column={column} />}
            {facts && <Facts facts={facts} />}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function DefaultLine({ session, column: { choice, at } }: Omit<ColumnMoreProps, 'of'>): ReactNode {
  return (
    <TextLine
      label="Default"
      note="SQL expression for the default of the column, such as 0 or 'none'."
      value={choice.defaultSql}
      placeholder="None"
      onCommit={(defaultSql) => session.setColumn(at, { defaultSql: defaultSql.trim() })}
    />
  );
}

/** SQLite adds no column with a key to a table that is there (sqlite.org/lang_altertable.html#altertabaddcol). */
function KeyLine({ session, column: { choice, at } }: Omit<ColumnMoreProps, 'of'>): ReactNode {
  return (
    <CheckLine
      label="Primary key"
      checked={choice.primaryKey}
      onChange={(primaryKey) => session.setColumn(at, { primaryKey })}
    />
  );
}

function NotNullLine({ session, column: { choice, at } }: Omit<ColumnMoreProps, 'of'>): ReactNode {
  return (
    <CheckLine label="NOT NULL" checked={choice.notNull} onChange={(notNull) => session.setColumn(at, { notNull })} />
  );
}

function PositionLine({ session, column: { at } }: Omit<ColumnMoreProps, 'of'>): ReactNode {
  return (
    <div className="import-match" role="group" aria-label="Place">
      <span className="import-label">Position</span>
      <Button size="small" onClick={() => session.moveColumn(at, -1)}>
        Move left
      </Button>
      <Button size="small" onClick={() => session.moveColumn(at, 1)}>
        Move right
      </Button>
    </div>
  );
}

function Facts({ facts }: { readonly facts: ColumnFacts }): ReactNode {
  return (
    <dl className="import-counts">
      {linesOf(facts).map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function linesOf(facts: ColumnFacts): readonly (readonly [string, string])[] {
  const counts: readonly (readonly [string, number])[] = [
    ['Integers', facts.integers],
    ['beyond ±2⁵³', facts.beyond53],
    ['Digits beyond 64 bits', facts.beyond64],
    ['Leading zeros', facts.leadingZeros],
    ['Plus signs', facts.plusSigns],
    ['Hexadecimal', facts.hex],
    ['Reals', facts.reals],
    ['Reals that print differently', facts.inexactReals],
    ['Booleans', facts.booleans],
    ...Object.entries(facts.dates).map(([format, count]) => [`Dates ${format}`, count] as const),
    ...Object.values(facts.thousands).map((count) => ['With thousands separators', count] as const),
    ['Text', facts.texts],
    ['JSON', facts.json],
    ['Blobs', facts.blobs],
    ['NULL', facts.nulls],
    ['Empty', facts.empty],
    ['Empty in quotes', facts.quotedEmpty],
    ['Missing', facts.absent],
  ];
  return [
    ...counts.filter(([, count]) => count > 0).map(([label, count]) => [label, formatCount(count)] as const),
    ['Longest', formatBytes(facts.longest)],
  ];
}
