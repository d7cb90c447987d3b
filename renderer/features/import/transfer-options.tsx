// How a file of tables is read, and where its tables go.
import { whyNoTransactions } from '../../workbench/databases/no-transactions.ts';
import type { ReactNode } from 'react';
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { SqlDialect } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useStore } from '../../state/store.ts';
import { ENCODINGS, FORMATS, withOwn } from './file-options.tsx';
import { CheckLine, ChoiceLine, TextLine } from './form-parts.tsx';
import type { TransferSession } from './transfer-session.ts';
import type { TransferView } from './transfer-view.ts';

const NEW = '';

const DIALECTS: readonly (readonly [SqlDialect, string])[] = [
  ['sqlite', 'SQLite'],
  ['mysql', 'MySQL, MariaDB'],
  ['postgresql', 'PostgreSQL'],
  ['tsql', 'SQL Server'],
];

interface TransferOptionsProps {
  readonly session: TransferSession;
  readonly view: TransferView;
  readonly format: ImportFormatId;
  readonly onFormat: (format: ImportFormatId) => void;
}

export function TransferOptions({ session, view, format, onFormat }: TransferOptionsProps): ReactNode {
  const sql = view.contents?.sql;
  return (
    <>
      <Target session={session} view={view} />
      <section className="import-group" aria-labelledby="import-file">
        <h2 id="import-file">File</h2>
        <ChoiceLine
          label="Format"
          value={format}
          options={withOwn(FORMATS, format)}
          onChoose={(value) => onFormat(value as ImportFormatId)}
        />
        {sql && (
          <>
            <ChoiceLine
              label="Dialect"
              note={sql.reason || undefined}
              value={sql.dialect}
              options={DIALECTS}
              onChoose={(dialect) => void session.setReading({ dialect: dialect as SqlDialect })}
            />
            <ChoiceLine
              label="Encoding"
              value={sql.encoding}
              options={withOwn(ENCODINGS, sql.encoding)}
              onChoose={(encoding) => void session.setReading({ encoding })}
            />
          </>
        )}
      </section>
    </>
  );
}

function Target({ session, view }: Pick<TransferOptionsProps, 'session' | 'view'>): ReactNode {
  const { choices, database, databaseName } = view;
  const openDatabases = useStore((state) => state.openDatabases);
  return (
    <section className="import-group" aria-labelledby="import-target">
      <h2 id="import-target">Into</h2>
      <ChoiceLine
        label="Database"
        value={database ?? NEW}
        options={[
          ...Object.values(openDatabases)
            .filter(({ entry }) => whyNoTransactions(entry.id) === null)
            .map(({ entry }) => [entry.id, visibleName(entry.name)] as const),
          [NEW, 'New database in the library'],
        ]}
        onChoose={(id) => void session.setDatabase(id === NEW ? null : id)}
      />
      {database === null && (
        <TextLine
          label="Database name"
          value={databaseName}
          onCommit={(name) => name.trim() !== '' && session.setDatabaseName(name.trim())}
        />
      )}
      <CheckLine
        label="Indexes of new tables"
        checked={choices.indexes}
        onChange={(indexes) => session.setChoices({ indexes })}
      />
      <CheckLine
        label="Triggers of new tables"
        checked={choices.triggers}
        onChange={(triggers) => session.setChoices({ triggers })}
      />
      {choices.tables.some(({ isChosen, how }) => isChosen && how === 'append') && (
        <CheckLine
          label="Keep rows that refer to nothing"
          checked={choices.looseKeys}
          onChange={(looseKeys) => session.setChoices({ looseKeys })}
        />
      )}
    </section>
  );
}
