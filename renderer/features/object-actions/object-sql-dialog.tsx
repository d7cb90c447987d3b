// The SQL of an object: its statement, and those of its indexes and triggers, to read, copy, or open.
import { useRef, type ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSchema } from '../../state/schema.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { designedKind, KIND_WORDS, openObjectDesign } from '../../workbench/tabs/design.ts';
import { closeObjectSql, sqlOf, type ObjectSqlRequest } from '../../workbench/objects/object-sql.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import '../../ui/form-dialog.css';
import './object-action.css';

const AUTOMATIC = 'SQLite made this index for a UNIQUE or PRIMARY KEY constraint of its table. It has no statement.';

export function ObjectSqlDialog({ request: { database, object } }: { readonly request: ObjectSqlRequest }): ReactNode {
  const objects = useSchema(database)?.objects ?? [];
  const sql = sqlOf(object, objects);
  const kind = designedKind(object);
  const copyButton = useRef<HTMLButtonElement>(null);
  const closing = (run: () => unknown) => (): void => {
    closeObjectSql();
    run();
  };
  return (
    <Dialog
      title={`SQL of ${visibleName(object.name)}`}
      wide
      initialFocus={copyButton}
      onClose={closeObjectSql}
      footer={
        <>
          {kind !== null && (
            <Button onClick={closing(() => openObjectDesign(database, object))}>{`Design ${KIND_WORDS[kind]}`}</Button>
          )}
          <Button
            why={sql === null ? AUTOMATIC : null}
            onClick={closing(() => openQuery(database, { sql: `${sql}\n` }))}
          >
            Open in SQL tab
          </Button>
          <Button
            ref={copyButton}
            variant="primary"
            why={sql === null ? AUTOMATIC : null}
            onClick={closing(() => void shell.writeClipboard(sql ?? '').catch(notifyFailure))}
          >
            Copy
          </Button>
        </>
      }
    >
      <section className="form-text" aria-label="SQL" tabIndex={0}>
        {sql === null ? <p>{AUTOMATIC}</p> : <pre>{sql}</pre>}
      </section>
    </Dialog>
  );
}
