// The columns of the table, and the source of the values for each.
import type { ReactNode } from 'react';
import type { SampleColumn, SampleSource, SuggestedColumn, SampleText, SampleTime } from '#shared/protocol/index.ts';
import { sourceProblem } from '#shared/sample-rows/source-values.ts';
import { Button } from '../../ui/button.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import type { SampleRowsSession } from './sample-rows-session.ts';
import { listText, parseList, parseValue, valueText } from '#shared/sample-rows/literals.ts';
import { SAMPLE_TEXTS, SAMPLE_TIMES } from '#shared/protocol/sample-rows.ts';

interface SettingsProps {
  readonly name: string;
  readonly source: SampleSource;
  readonly onChange: (source: SampleSource) => void;
}

const PATTERN_HELP =
  '# digit, A and a letter, * letter or digit, {red|green} one of these, \\ takes the next character as it is';

function Settings({ name, source, onChange }: SettingsProps): ReactNode {
  const field = { name, onChange };
  switch (source.kind) {
    case 'sequence':
      return (
        <>
          from <StartField {...field} source={source} /> step
          <NumberField {...field} label="Step" value={source.step} set={(step) => ({ ...source, step })} />
        </>
      );
    case 'integer':
    case 'words':
    case 'real':
      return <RangeFields {...field} source={source} />;
    case 'moment':
      return source.as === 'time' ? null : (
        <>
          <TextField {...field} label="First day" value={source.from} set={(from) => ({ ...source, from })} /> to
          <TextField {...field} label="Last day" value={source.to} set={(to) => ({ ...source, to })} />
        </>
      );
    case 'blob':
      return (
        <>
          <NumberField {...field} label="Bytes" value={source.bytes} set={(bytes) => ({ ...source, bytes })} /> bytes
        </>
      );
    case 'constant':
    case 'list':
    case 'pattern':
      return <WideField {...field} source={source} />;
    default:
      return null;
  }
}

type Of<K extends SampleSource['kind']> = SettingsProps & {
  readonly source: Extract<SampleSource, { readonly kind: K }>;
};

function RangeFields({ source, ...field }: Of<'integer' | 'words' | 'real'>): ReactNode {
  return (
    <>
      <NumberField {...field} label="Minimum" value={source.from} set={(from) => ({ ...source, from })} /> to
      <NumberField {...field} label="Maximum" value={source.to} set={(to) => ({ ...source, to })} />
      {source.kind === 'words' && 'words'}
      {source.kind === 'real' && (
        <>
          <NumberField
            {...field}
            label="Decimals"
            value={source.decimals}
            set={(decimals) => ({ ...source, decimals })}
          />
          decimals
        </>
      )}
    </>
  );
}

function WideField({ name, source, onChange }: Of<'constant' | 'list' | 'pattern'>): ReactNode {
  const field = { name, onChange, isWide: true };
  if (source.kind === 'pattern')
    return (
      <span className="sample-rows-pattern" title={PATTERN_HELP}>
        <TextField {...field} label="Pattern" value={source.pattern} set={(pattern) => ({ ...source, pattern })} />
      </span>
    );
  if (source.kind === 'list')
    return (
      <TextField
        {...field}
        label="List"
        value={listText(source.values)}
        set={(text) => ({ ...source, values: parseList(text) })}
      />
    );
  return (
    <TextField
      {...field}
      label="Value"
      value={valueText(source.value)}
      set={(text) => ({ ...source, value: parseValue(text) })}
    />
  );
}

interface FieldProps<T> {
  readonly name: string;
  readonly label: string;
  readonly value: T;
  readonly isWide?: boolean;
  readonly set: (value: T) => SampleSource;
  readonly onChange: (source: SampleSource) => void;
}

function TextField({ name, label, value, isWide = false, set, onChange }: FieldProps<string>): ReactNode {
  return (
    <CommittedField
      className={isWide ? 'small-field sample-rows-wide' : 'small-field'}
      label={`${label} of ${name}`}
      value={value}
      onCommit={(text) => onChange(set(text))}
    />
  );
}

/** Anything but a number leaves it unchanged. */
function NumberField({ name, label, value, set, onChange }: FieldProps<number>): ReactNode {
  const commit = (text: string): void => {
    const next = Number(text.trim() === '' ? Number.NaN : text);
    if (Number.isFinite(next)) onChange(set(next));
  };
  return (
    <CommittedField className="small-field" label={`${label} of ${name}`} value={String(value)} onCommit={commit} />
  );
}

function StartField({ name, source, onChange }: Of<'sequence'>): ReactNode {
  const commit = (text: string): void => {
    const start = text.trim() === '' ? null : Number(text);
    if (start === null || Number.isFinite(start)) onChange({ ...source, start });
  };
  return (
    <CommittedField
      className="small-field"
      label={`First number of ${name}`}
      placeholder="next"
      value={source.start === null ? '' : String(source.start)}
      onCommit={commit}
    />
  );
}

interface ColumnSourcesProps {
  readonly session: SampleRowsSession;
  readonly suggested: readonly SuggestedColumn[];
  /** The same columns in the same order, with the user's choices. */
  readonly columns: readonly SuggestedColumn[];
  /** How many columns the user has changed. */
  readonly chosen: number;
}

export function ColumnSources({ session, suggested, columns, chosen }: ColumnSourcesProps): ReactNode {
  return (
    <section className="scroll sunken ruled sample-rows-columns" aria-label="Columns">
      <table>
        <thead>
          <tr>
            <th>Column</th>
            <th>Values</th>
            <th>
              <span className="visually-hidden">Options</span>
              {chosen > 0 && (
                <Button size="small" onClick={() => session.reset()}>
                  Suggested values
                </Button>
              )}
            </th>
            <th title="Percentage of rows that get NULL instead">NULL %</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, at) => (
            <ColumnLine key={column.name} column={column} suggested={suggested[at]!} session={session} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ColumnLineProps {
  readonly column: SuggestedColumn;
  readonly suggested: SuggestedColumn;
  readonly session: SampleRowsSession;
}

function ColumnLine({ column, suggested, session }: ColumnLineProps): ReactNode {
  const { name, source, nullPercent, declaredType, canBeNull, why } = column;
  const groups = sourceGroups(suggested);
  const isSuggested = source === suggested.source;
  const change = (part: Partial<SampleColumn>): void => session.setColumn({ name, source, nullPercent, ...part });
  const choose = (id: string): void => {
    const found = groups.flatMap(({ choices }) => choices).find((choice) => choice.id === id);
    if (found) change({ source: found.source });
  };
  const problem = sourceProblem(source);
  return (
    <tr>
      <th scope="row">
        <span title={name}>{name}</span>
        <span className="faint sample-rows-type" title={declaredType}>
          {declaredType}
        </span>
      </th>
      <td>
        <select
          className="small-field"
          aria-label={`Values of ${name}`}
          value={idOf(source)}
          onChange={(event) => choose(event.target.value)}
        >
          {groups.map(({ label, choices }) => (
            <optgroup key={label} label={label}>
              {choices.map(({ id, label: words }) => (
                <option key={id} value={id}>
                  {words}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </td>
      <td className="row wrap dim sample-rows-settings">
        <Settings name={name} source={source} onChange={(changed) => change({ source: changed })} />
        {problem !== null && <span className="error">{problem}</span>}
        {problem === null && isSuggested && why !== '' && <span className="faint small sample-rows-why">by {why}</span>}
      </td>
      <td>
        <CommittedField
          className="small-field"
          label={`NULL share of ${name}, percent`}
          value={String(nullPercent)}
          disabled={!canBeNull}
          onCommit={(text) => {
            const percent = Number(text);
            if (percent >= 0 && percent <= 100) change({ nullPercent: percent });
          }}
        />
      </td>
    </tr>
  );
}

const TEXT_WORDS: Readonly<Record<SampleText, string>> = {
  'full-name': 'Full names',
  'given-name': 'Given names',
  'family-name': 'Family names',
  'user-name': 'User names',
  email: 'Email addresses',
  phone: 'Phone numbers',
  company: 'Companies',
  job: 'Jobs',
  street: 'Streets',
  city: 'Cities',
  'post-code': 'Postal codes',
  country: 'Countries',
  'country-code': 'Country codes',
  url: 'URLs',
  slug: 'Slugs',
  color: 'Colors',
  currency: 'Currencies',
  language: 'Languages',
  'file-name': 'File names',
  'ip-address': 'IP addresses',
  uuid: 'UUIDs',
  json: 'JSON objects',
};

const TIME_WORDS: Readonly<Record<SampleTime, string>> = {
  date: 'Dates',
  datetime: 'Dates with times',
  time: 'Times of day',
  unix: 'Unix times (seconds)',
  'unix-ms': 'Unix times (milliseconds)',
};

const DAYS = { from: '2020-01-01', to: '2025-12-31' } as const;

interface SourceChoice {
  readonly id: string;
  readonly label: string;
  readonly source: SampleSource;
}

interface SourceGroup {
  readonly label: string;
  readonly choices: readonly SourceChoice[];
}

const choice = (label: string, source: SampleSource): SourceChoice => ({ id: idOf(source), label, source });

/** @param suggested its own source is the default for its kind */
function sourceGroups(suggested: SuggestedColumn): readonly SourceGroup[] {
  const groups: readonly SourceGroup[] = [
    {
      label: 'General',
      choices: [
        ...(suggested.refersTo === null ? [] : [choice(`Keys of ${suggested.refersTo}`, { kind: 'reference' })]),
        choice('Column default', { kind: 'default' }),
        choice('NULL', { kind: 'null' }),
        choice('The same value', { kind: 'constant', value: '' }),
        choice('One from a list', { kind: 'list', values: ['one', 'two', 'three'] }),
        choice('A sequence', { kind: 'sequence', start: null, step: 1 }),
      ],
    },
    {
      label: 'Numbers',
      choices: [
        choice('Whole numbers', { kind: 'integer', from: 0, to: 1000 }),
        choice('Decimal numbers', { kind: 'real', from: 0, to: 1000, decimals: 2 }),
      ],
    },
    {
      label: 'Dates and times',
      choices: SAMPLE_TIMES.map((as) => choice(TIME_WORDS[as], { kind: 'moment', as, ...DAYS })),
    },
    {
      label: 'Text',
      choices: [
        choice('Words', { kind: 'words', from: 1, to: 3 }),
        choice('A pattern', { kind: 'pattern', pattern: 'AA-####' }),
        ...SAMPLE_TEXTS.map((of) => choice(TEXT_WORDS[of], { kind: 'text', of })),
      ],
    },
    { label: 'Bytes', choices: [choice('Random bytes', { kind: 'blob', bytes: 16 })] },
  ];
  const own = idOf(suggested.source);
  return groups.map(({ label, choices }) => ({
    label,
    choices: choices.map((one) => (one.id === own ? { ...one, source: suggested.source } : one)),
  }));
}

function idOf(source: SampleSource): string {
  if (source.kind === 'moment') return `moment-${source.as}`;
  return source.kind === 'text' ? `text-${source.of}` : source.kind;
}
