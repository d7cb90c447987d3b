// Shows what merging the source into a copy would do, and the rows the user has to decide about.
import { useRef, useState, useEffect, type ReactNode, type RefObject } from 'react';
import type { MergeChoice, MergeQuestion } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { notifyFailure } from '../../state/databases.ts';
import { FIRST_QUESTIONS, type MergeAnswers, type ShownMerge } from '../../state/slices/sources.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionBar, DecisionsLeft, DecisionList, useShownDecisions, DecisionAnswer } from '../../ui/decisions.tsx';
import type { DecisionLine } from '../../ui/decisions.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { applyMerge, endMerge } from './merge-actions.ts';
import { answerRow, answerTable, openRows, answerOf } from './merge-answers.ts';
import { CHOICES, planLabel, rowsOf, questionLabel } from './merge-labels.ts';
import { ThreeRows } from '../../workbench/differences/three-rows.tsx';

interface MergeDialogProps {
  readonly merge: ShownMerge;
}

export function MergeDialog({ merge }: MergeDialogProps): ReactNode {
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
        {asked > 0 && <Questions merge={merge} answers={answers} onAnswers={setAnswers} list={list} onApply={apply} />}
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

function Questions({ merge, answers, onAnswers, list, onApply }: QuestionsProps): ReactNode {
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
        />
      )}
    </>
  );
}

interface ForManyProps {
  readonly tables: readonly string[];
  readonly onChoose: (table: string | null, choice: MergeChoice) => void;
}

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

// The rows that a merge asks about, read as they come into view.

interface MergeListProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly merge: ShownMerge;
  readonly answers: MergeAnswers;
  readonly onShow: (question: MergeQuestion | null) => void;
  readonly onChoose: (question: MergeQuestion, choice: MergeChoice) => void;
  readonly onApply: () => void;
}

function MergeList({ list, merge, answers, onShow, onChoose, onApply }: MergeListProps): ReactNode {
  const count = rowsOf(merge.plan.questions);
  const [at, setAt] = useState(0);
  const shown = useShownDecisions(list, count);
  const read = useMergeQuestions(merge, shown.from, shown.to);
  const current = read(at);
  useEffect(() => onShow(current ?? null), [current, onShow]);
  return (
    <DecisionList
      list={list}
      label="Rows to decide"
      count={count}
      at={at}
      shown={shown}
      lineOf={(index) => lineOf(read(index), answers)}
      onAt={setAt}
      onChoose={(choice) => current && onChoose(current, choice)}
      onApply={onApply}
    />
  );
}

function lineOf(question: MergeQuestion | undefined, answers: MergeAnswers): DecisionLine | undefined {
  if (!question) return undefined;
  const choice = answerOf(answers, question);
  return {
    row: `${question.table} ${question.key.map(valueText).join(', ')}`,
    what: questionLabel(question),
    choice: CHOICES.find((each) => each.choice === choice)?.label ?? null,
  };
}

// The rows that a merge asks about, a page at a time as they come into view: there may be as many as the tables have.

const PAGE_ROWS = FIRST_QUESTIONS;
const KEPT_PAGES = 30;

/** Undefined: not read yet. */
type ReadQuestion = (index: number) => MergeQuestion | undefined;

/** Supports only one plan: remount for another one. */
function useMergeQuestions({ database, first }: ShownMerge, from: number, to: number): ReadQuestion {
  const [, setNews] = useState(0);
  const [pages] = useState(() => new Map<number, readonly MergeQuestion[] | null>([[0, first]]));
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
    return () => void (isOver.current = true);
  }, []);
  useEffect(() => {
    const load = async (page: number): Promise<void> => {
      pages.set(page, null);
      try {
        const range = { start: page * PAGE_ROWS, count: PAGE_ROWS };
        const { questions } = await client.call('source.mergeQuestions', { database, ...range });
        pages.set(page, questions);
        for (const key of [...pages.keys()].slice(0, -KEPT_PAGES)) pages.delete(key);
        if (!isOver.current) setNews((count) => count + 1);
      } catch (thrown) {
        if (!isOver.current) notifyFailure(thrown);
      }
    };
    for (let page = Math.floor(from / PAGE_ROWS); page * PAGE_ROWS < to; page++) if (!pages.has(page)) void load(page);
  }, [database, pages, from, to]);
  return (index) => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
}

interface MergeRowProps {
  readonly question: MergeQuestion;
  readonly answers: MergeAnswers;
  readonly onChoose: (choice: MergeChoice) => void;
}

function MergeRow({ question, answers, onChoose }: MergeRowProps): ReactNode {
  const { columns, base, mine, theirs } = question;
  const [here, there] = [
    { name: 'Mine', row: mine },
    { name: 'Theirs', row: theirs },
  ];
  const before = base === undefined ? null : { name: 'Before', row: base };
  return (
    <>
      <DecisionAnswer choices={CHOICES} choice={answerOf(answers, question)} onChoose={onChoose} />
      <ThreeRows columns={columns} versions={before ? [before, here, there] : [here, there]} from={before ?? here} />
    </>
  );
}
