// The parameters of the text, each with a field for its value: below the text, in the editor’s room.
import { useEffect, useRef, type ReactNode } from 'react';
import type { ParameterEntry, QueryTab } from '../../workbench/tabs/query.ts';
import { updateTab } from '../../state/store.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { autoClass, entryOf, givenBy, parameterNames } from './parameters.ts';
import type { QuerySession } from './query-session.ts';

type Type = ParameterEntry['type'];

interface ParameterStripProps {
  readonly tab: QueryTab;
  readonly session: QuerySession;
  /** A run was requested that needs these. */
  readonly asked: readonly string[];
}

export function ParameterStrip({ tab, session, asked }: ParameterStripProps): ReactNode {
  const names = parameterNames(tab.sql);
  const list = useRef<HTMLDivElement>(null);
  const [first] = asked;
  useEffect(() => {
    if (first === undefined) return;
    const fields = list.current?.querySelectorAll<HTMLInputElement>('input') ?? [];
    [...fields].find(({ name }) => name === first)?.focus();
  }, [first, asked]);
  if (names.length === 0) return null;
  return (
    <div className="fixed small scroll parameter-strip" role="group" aria-label="Parameters" data-pane ref={list}>
      {names.map((name) => (
        <Parameter
          key={name}
          name={name}
          entry={entryOf(tab.parameters, name)}
          isAsked={asked.includes(name)}
          onChange={(entry) => updateTab<QueryTab>(tab.id, { parameters: { ...tab.parameters, [name]: entry } })}
          onRun={() => void session.runHere()}
        />
      ))}
    </div>
  );
}

interface ParameterProps {
  readonly name: string;
  readonly entry: ParameterEntry;
  readonly isAsked: boolean;
  readonly onChange: (entry: ParameterEntry) => void;
  readonly onRun: () => void;
}

function Parameter({ name, entry, isAsked, onChange, onRun }: ParameterProps): ReactNode {
  const { type, text } = entry;
  const given = givenBy(entry);
  const problem = 'problem' in given ? given.problem : null;
  // An empty field is not an error until the value is needed.
  const shown = problem !== null && (isAsked || text !== '') ? problem : null;
  return (
    <div className="row wrap shrink-x gap-6">
      <span className="cut parameter-name">{name}</span>
      <Select
        label={`Type of ${name}`}
        value={type}
        options={typeOptions(type, text)}
        onChoose={(chosen) => onChange({ type: chosen, text })}
      />
      <TextField
        className="parameter-value"
        name={name}
        aria-label={`Value of ${name}`}
        aria-invalid={shown !== null}
        title={shown ?? undefined}
        placeholder={type === 'null' ? 'NULL' : 'value'}
        disabled={type === 'null'}
        value={type === 'null' ? '' : text}
        onChange={(event) => onChange({ type, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onRun();
        }}
      />
      {isAsked && shown && (
        <span className="error full-width" role="alert">
          {shown}
        </span>
      )}
    </div>
  );
}

function typeOptions(type: Type, text: string): readonly (readonly [Type, string])[] {
  const found = type === 'auto' ? autoClass(text) : null;
  return [
    ['auto', found === null ? 'Auto' : `Auto: ${found === 'blob' ? 'BLOB' : found}`],
    ['text', 'Text'],
    ['integer', 'Integer'],
    ['real', 'Real'],
    ['blob', 'BLOB (hex)'],
    ['null', 'NULL'],
  ];
}
