// Bar at the bottom of an SQL tab: the file was changed or removed by another program, and what the user can do about it.
import { useState, type ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LineDiff } from '../../ui/line-diff.tsx';
import { asEdited } from '../../workbench/files/text-encoding.ts';
import type { QueryTab } from '../../workbench/tabs/query.ts';
import type { FileProblem, SqlFileSession } from './sql-file-session.ts';

interface FileProblemBarProps {
  readonly tab: QueryTab;
  readonly session: SqlFileSession;
}

export function FileProblemBar({ tab, session }: FileProblemBarProps): ReactNode {
  const { problem } = session.useProblem();
  const [comparing, setComparing] = useState(false);
  if (!problem) return null;
  const name = `“${visibleName(tab.file?.fileName ?? tab.title)}”`;
  const end = (act: () => void) => () => {
    setComparing(false);
    act();
  };
  const decisions = (
    <>
      <Button size="small" onClick={end(() => session.takeTheirs())}>
        Take theirs
      </Button>
      <Button size="small" onClick={end(() => session.keepMine())}>
        Keep mine
      </Button>
    </>
  );
  return (
    <div className="row warn-note gap-6 wrap fixed small file-problem" role="alert">
      {problem.kind === 'changed' ? (
        <>
          <span className="file-problem-text">{name} was changed by another program. Your changes here are kept.</span>
          <Button size="small" onClick={() => setComparing(true)}>
            Compare…
          </Button>
          {decisions}
        </>
      ) : (
        <>
          <span className="file-problem-text">{problem.why} Your text is kept in this tab.</span>
          <Button size="small" onClick={() => void session.save()}>
            Save
          </Button>
          <Button size="small" onClick={() => void session.saveAs()}>
            Save as…
          </Button>
        </>
      )}
      {comparing && problem.kind === 'changed' && (
        <Comparison name={name} problem={problem} session={session} onClose={() => setComparing(false)}>
          {decisions}
        </Comparison>
      )}
    </div>
  );
}

interface ComparisonProps {
  readonly name: string;
  readonly problem: Extract<FileProblem, { kind: 'changed' }>;
  readonly session: SqlFileSession;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Comparison({ name, problem, session, onClose, children }: ComparisonProps): ReactNode {
  return (
    <Dialog
      title={`${name}: mine and theirs`}
      wide
      onClose={onClose}
      footer={
        <>
          <Button size="small" onClick={onClose}>
            Decide later
          </Button>
          {children}
        </>
      }
    >
      <p className="file-problem-signs">− is the text in this tab, + is the file as the other program saved it.</p>
      <LineDiff
        before={session.text()}
        after={asEdited(problem.theirs.text)}
        label="Mine and theirs"
        words={['mine', 'theirs']}
        same="Both texts have the same lines."
        onlyChanges
      />
    </Dialog>
  );
}
