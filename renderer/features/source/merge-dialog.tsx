// Shows what merging the source into a copy would do, and the rows the user has to decide about.
import { useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { MergeChoice } from '#shared/protocol/index.ts';
import type { MergeAnswers, ShownMerge } from '../../state/slices/sources.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionBar, DecisionsLeft } from '../../ui/decisions.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { applyMerge, endMerge } from './merge-actions.ts';
import { answerRow, answerTable, openRows } from './merge-answers.ts';
import { MergeList } from './merge-list.tsx';
import { MergeRow } from './merge-row.tsx';
import type { ShownValues } from './merge-row.tsx';
import { CHOICES, planLabel, rowsOf } from './merge-labels.ts';

interface MergeDialogProps {
  readonly merge: ShownMerge;
  readonly Value: ShownValues;
}

export function MergeDialog({ merge, Value }: MergeDialogProps): ReactNode {
  const { database, plan } = merge;
  const entry = useStore((state) => state.openDatabases[database]?.entry);
  const [answers, setAnswers] = useState<MergeAnswers>(merge.answers);
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const asked = rowsOf(plan.questions);
  const open = openRows(answers, plan.questions);
  if (!entry?.source) return null;
  const apply = (): void => {
    if (open === 0) void applyMerge(entry, { ...merge, answers });
  };
  return (
    <Dialog
      title={`Merge “${entry.source.fileName}” into “${entry.name}”`}
      wide
      initialFocus={asked > 0 ? list : button}
      onClose={() => endMerge(merge)}
      footer={
        <>
          {asked > 0 && <DecisionsLeft rows={open} />}
          <Button onClick={() => endMerge(merge)}>Cancel</Button>
          <Button
            ref={button}
            variant="primary"
            why={open > 0 ? 'Some rows are not decided yet.' : null}
            onClick={apply}
          >
            Merge
          </Button>
        </>
      }
    >
      <div className="decisions">
        <p>{planLabel(plan).join(' ')}</p>
        {plan.notes.map((note) => (
          <p key={note} className="small">
            {note}
          </p>
        ))}
        {asked > 0 && (
          <Questions merge={merge} answers={answers} onAnswers={setAnswers} list={list} onApply={apply} Value={Value} />
        )}
        <p className="small">
          The merge is one step in the history. The file itself does not change until you save to it.
        </p>
      </div>
    </Dialog>
  );
}

interface QuestionsProps extends MergeDialogProps {
  readonly answers: MergeAnswers;
  readonly onAnswers: (answers: MergeAnswers) => void;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onApply: () => void;
}

function Questions({ merge, answers, onAnswers, list, onApply, Value }: QuestionsProps): ReactNode {
  const { plan, first } = merge;
  const [shown, setShown] = useState(first[0] ?? null);
  return (
    <>
      <ForMany
        tables={plan.questions.map(({ table }) => table)}
        onChoose={(table, choice) => onAnswers(answerTable(answers, table, choice))}
      />
      <MergeList
        list={list}
        merge={merge}
        answers={answers}
        onShow={setShown}
        onChoose={(question, choice) => onAnswers(answerRow(answers, question, choice))}
        onApply={onApply}
      />
      {shown && (
        <MergeRow
          question={shown}
          answers={answers}
          onChoose={(choice) => onAnswers(answerRow(answers, shown, choice))}
          Value={Value}
        />
      )}
    </>
  );
}

interface ForManyProps {
  readonly tables: readonly string[];
  readonly onChoose: (table: string | null, choice: MergeChoice) => void;
}

/** One answer for a table, or for all of them. */
function ForMany({ tables, onChoose }: ForManyProps): ReactNode {
  const [table, setTable] = useState('');
  const isOne = tables.length === 1;
  return (
    <DecisionBar>
      {isOne ? (
        <span>All rows:</span>
      ) : (
        <Select
          label="Rows to decide"
          value={table}
          options={[['', 'All tables'], ...tables.map((name) => [name, name] as const)]}
          onChoose={setTable}
        />
      )}
      {CHOICES.map(({ choice, label }) => (
        <Button key={choice} size="small" onClick={() => onChoose(isOne || table === '' ? null : table, choice)}>
          {label}
        </Button>
      ))}
    </DecisionBar>
  );
}
