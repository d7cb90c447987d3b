// The form of a view: its name, the way to its query, and its triggers.
import type { ReactNode } from 'react';
import { renameView } from '#shared/ddl/edit-view.ts';
import type { ViewModel } from '#shared/ddl/object-models.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { goToOffset } from '../../editor/sql-editor.tsx';
import { Button } from '../../ui/button.tsx';
import type { DesignSession } from './design-session.ts';
import { Line, NameField } from './fields.tsx';
import { OwnObjects } from './own-objects.tsx';

interface ViewFormProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: ViewModel;
}

export function ViewForm({ session, database, model }: ViewFormProps): ReactNode {
  return (
    <>
      <section className="design-group" aria-label="View">
        <NameField what="view" name={model.name.name} onRename={(name) => session.change(renameView(model, name))} />
        <TextButton session={session} label="Query" text="Edit the query" offset={model.query.span.from} />
      </section>
      <OwnObjects session={session} database={database} kinds={['trigger']} />
    </>
  );
}

interface TextButtonProps {
  readonly session: DesignSession;
  readonly label: string;
  readonly text: string;
  /** Offset in the text of the editor. */
  readonly offset: number;
}

/** A part that is edited as SQL. */
export function TextButton({ session, label, text, offset }: TextButtonProps): ReactNode {
  return (
    <Line label={label}>
      <Button size="small" onClick={() => session.editor.view && goToOffset(session.editor.view, offset)}>
        {text}
      </Button>
    </Line>
  );
}
