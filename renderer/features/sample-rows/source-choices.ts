// The sources of values that a user can choose from, and their initial settings.
import { SAMPLE_TEXTS, SAMPLE_TIMES } from '#shared/protocol/sample-rows.ts';
import type { SampleSource, SampleText, SampleTime, SuggestedColumn } from '#shared/protocol/sample-rows.ts';

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

/** One entry of the list; `id` identifies it. */
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
export function sourceGroups(suggested: SuggestedColumn): readonly SourceGroup[] {
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

export function idOf(source: SampleSource): string {
  if (source.kind === 'moment') return `moment-${source.as}`;
  return source.kind === 'text' ? `text-${source.of}` : source.kind;
}
