// A tab of the designer: the form on the left, the exact SQL on the right, and the changes below.
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { EditorSplit } from '../../workbench/text/editor-split.tsx';
import { KIND_WORDS, type DesignTab } from '../../workbench/tabs/design.ts';
import type { NotUnderstood } from '#shared/ddl/statement-reader.ts';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { Button } from '../../ui/button.tsx';
import { goToOffset } from '../../editor/sql-editor.tsx';
import { ChangePanel } from './change-panel.tsx';
import { designSessionOf, type DesignSession } from './design-session.ts';
import { ObjectForm } from './object-form.tsx';
import './designer.css';

export function DesignTabContent({ tab }: { readonly tab: DesignTab }): ReactNode {
  const session = designSessionOf(tab);
  const view = session.useView();
  const { model, problem, baseProblem, phase } = view;
  // The form is read first, and creating the editor takes as long as the whole form.
  const hasEditor = useAfterPaint();
  const [beginsInForm] = useState(model !== null && !baseProblem && !problem && phase === 'editing');
  const form = useFocusOnName(beginsInForm, tab.base === null);
  return (
    <div className="shrink-y full-height design">
      <div className="shrink-y full-height design-body">
        <div ref={form} className="sunken shrink-y design-form" data-pane inert={phase !== 'editing'}>
          {problem && <Problem session={session} problem={problem} />}
          {model && !baseProblem ? (
            <div inert={problem !== null} data-stale={problem !== null || undefined}>
              <ObjectForm session={session} database={tab.database} model={model} />
            </div>
          ) : (
            !problem && (
              <p className="dim design-note">
                The form cannot show this {KIND_WORDS[tab.object]}. Edit its SQL on the right.
              </p>
            )
          )}
        </div>
        <div className="stack shrink-x shrink-y design-sql">
          {hasEditor && (
            <EditorSplit tab={tab} editor={session.editor} autoFocus={!beginsInForm}>
              <ChangePanel database={tab.database} session={session} view={view} />
            </EditorSplit>
          )}
        </div>
      </div>
    </div>
  );
}

/** A key pressed without looking must not change the SQL. The name of a new object is selected: typing replaces it. */
function useFocusOnName(beginsInForm: boolean, isNew: boolean): RefObject<HTMLDivElement | null> {
  const form = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const name = beginsInForm ? form.current?.querySelector<HTMLInputElement>('[data-first-focus]') : null;
    name?.focus({ preventScroll: true });
    if (isNew) name?.select();
  }, [beginsInForm, isNew]);
  return form;
}

function Problem({
  session,
  problem,
}: {
  readonly session: DesignSession;
  readonly problem: NotUnderstood;
}): ReactNode {
  const { view } = session.editor;
  return (
    <div className="row warn-note gap-8 design-problem" role="status">
      <p>The SQL is not complete: {problem.reason} The form still shows what it was before.</p>
      {view && (
        <Button size="small" onClick={() => goToOffset(view, problem.span.from)}>
          Go to problem
        </Button>
      )}
    </div>
  );
}
