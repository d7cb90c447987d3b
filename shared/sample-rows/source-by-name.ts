// Guesses the values of a column from its name.
import type { SampleSource, SampleText, SampleTime } from '../protocol/sample-rows.ts';
import type { ColumnFacts } from './table-facts.ts';

const DAYS = { from: '2020-01-01', to: '2025-12-31' } as const;
const BIRTHDAYS = { from: '1950-01-01', to: '2006-12-31' } as const;

type Rule = readonly [pattern: RegExp, source: SampleSource];

const text = (of: SampleText): SampleSource => ({ kind: 'text', of });
const integer = (from: number, to: number): SampleSource => ({ kind: 'integer', from, to });
const real = (from: number, to: number, decimals = 2): SampleSource => ({ kind: 'real', from, to, decimals });
const words = (from: number, to: number): SampleSource => ({ kind: 'words', from, to });

/** Names are in lower case, their words joined by `_`. */
const TEXT_RULES: readonly Rule[] = [
  [/(^|_)e?_?mail(_address)?$/, text('email')],
  [/(^|_)(given|first|fore)_?names?$|^vorname$/, text('given-name')],
  [/(^|_)(family|last|sur)_?name$|^nachname$/, text('family-name')],
  [/(^|_)(user_?name|login|nick_?name|handle)$/, text('user-name')],
  [/(^|_)(phone|mobile|fax|telephone|tel)(_?(number|no))?$/, text('phone')],
  [/(^|_)(company|employer|manufacturer|supplier|vendor|brand|publisher)(_?name)?$/, text('company')],
  [/(^|_)(job|job_?title|occupation|profession|position)$/, text('job')],
  [/(^|_)(street|address(_?line)?_?\d?)$/, text('street')],
  [/(^|_)(city|town|place|location)$/, text('city')],
  [/(^|_)(zip|post(al)?)_?code$|^zip$/, text('post-code')],
  [/(^|_)country_?(code|iso)$/, text('country-code')],
  [/(^|_)(country|nation|nationality)$/, text('country')],
  [/(^|_)(url|uri|link|website|homepage|href)$/, text('url')],
  [/(^|_)slug$/, text('slug')],
  [/(^|_)colou?r$/, text('color')],
  [/(^|_)currency(_?code)?$/, text('currency')],
  [/(^|_)(language|lang|locale)(_?code)?$/, text('language')],
  [/(^|_)(file_?name|file|path)$/, text('file-name')],
  [/(^|_)(ip|ip_?address)$/, text('ip-address')],
  [/(^|_)(uuid|guid)$/, text('uuid')],
  [/(^|_)(json|metadata|settings|payload|properties|attributes)$/, text('json')],
  [/(^|_)(hash|sha\d*|md5|digest|token|secret|checksum)$/, { kind: 'pattern', pattern: '*'.repeat(32) }],
  [/(^|_)(sku|code|number|no|ref|reference)$/, { kind: 'pattern', pattern: 'AA-####' }],
  [
    /(^|_)(description|notes?|comments?|body|content|text|message|summary|bio|remarks?|abstract|review)$/,
    words(8, 24),
  ],
  [/(^|_)(title|subject|headline|caption|label|topic)$/, words(2, 5)],
  [/^(full_?)?name$|(^|_)(customer|person|author|owner|contact|artist|member|employee|user|manager|sender)(_?name)?$/, text('full-name')],
  [/(^|_)(status|state|kind|type|category|group|tag|genre)$/, words(1, 1)],
  [/_?name$/, words(1, 2)],
]; // prettier-ignore

const NUMBER_RULES: readonly Rule[] = [
  [/(^|_)(price|amount|total|cost|fee|salary|balance|value|revenue|subtotal|unit_?price)$/, real(1, 1000)],
  [/(^|_)(quantity|qty|count|copies|pieces|stock)$/, integer(1, 100)],
  [/(^|_)age$/, integer(18, 90)],
  [/(^|_)year$/, integer(1990, 2025)],
  [/(^|_)month$/, integer(1, 12)],
  [/(^|_)day$/, integer(1, 28)],
  [/(^|_)hour$/, integer(0, 23)],
  [/(^|_)(lat|latitude)$/, real(-60, 70, 5)],
  [/(^|_)(lon|lng|long|longitude)$/, real(-180, 180, 5)],
  [/(^|_)(percent|percentage|progress)$/, integer(0, 100)],
  [/(^|_)(rating|stars|score)$/, integer(1, 5)],
  [/(^|_)(discount|rate|ratio|share|tax|vat)$/, real(0, 0.5)],
  [/(^|_)(width|height|length|depth|size)$/, integer(1, 1000)],
  [/(^|_)(weight|distance|speed|temperature)$/, real(0, 100, 1)],
  [/(^|_)(size_?bytes|bytes|file_?size)$/, integer(100, 10_000_000)],
  [/(^|_)(duration|milliseconds|ms|elapsed)(_?ms)?$/, integer(1000, 600_000)],
  [/^(is|has|was|can|should)_|(^|_)(active|enabled|disabled|deleted|hidden|archived|done|completed|visible|public|starred|flag)$/, integer(0, 1)],
  [/(_cents|_pence)$/, integer(100, 100_000)],
  [/(^|_)(position|sort_?order|rank|priority|level|version)$/, integer(1, 10)],
]; // prettier-ignore

const MOMENT =
  /(^|_)(date|datetime|timestamp|at|on|when|since|until|created|updated|modified|changed|deleted_at|born|expires|due)$/;

export function sourceByName(column: ColumnFacts): { readonly source: SampleSource; readonly why: string } | null {
  const name = wordsOf(column.name);
  const { affinity, declaredType } = column;
  if (affinity === 'BLOB' && declaredType !== '') return null;
  const isTyped = affinity === 'INTEGER' || affinity === 'REAL' || affinity === 'NUMERIC';
  const source = momentOf(name, column) ?? ruleFor(NUMBER_RULES, name, isTyped || declaredType === '');
  const found = source ?? (isTyped ? null : ruleFor(TEXT_RULES, name, true));
  if (found === null) return null;
  // A REAL has decimals, and an INTEGER none.
  if (affinity === 'INTEGER' && found.kind === 'real')
    return { source: integer(Math.ceil(found.from), Math.max(1, Math.floor(found.to))), why: 'name' };
  return { source: found, why: 'name' };
}

const ruleFor = (rules: readonly Rule[], name: string, applies: boolean): SampleSource | null =>
  applies ? (rules.find(([pattern]) => pattern.test(name))?.[1] ?? null) : null;

/** Times are kept as text, as seconds, or as milliseconds since 1970. */
function momentOf(name: string, { affinity, declaredType }: ColumnFacts): SampleSource | null {
  const isBirth = /birth|born|(^|_)dob$/.test(name);
  const days = isBirth ? BIRTHDAYS : DAYS;
  const type = declaredType.toUpperCase();
  const as = (kind: SampleTime): SampleSource => ({ kind: 'moment', as: kind, ...days });
  if (affinity === 'REAL' || type.includes('BOOL')) return null;
  if (affinity === 'INTEGER') {
    if (/(_at|_on|(^|_)(timestamp|time|date|datetime|created|updated|modified))_?ms$/.test(name)) return as('unix-ms');
    return MOMENT.test(name) || /(^|_)time$/.test(name) ? as('unix') : null;
  }
  if (type.includes('DATETIME') || type.includes('TIMESTAMP')) return as('datetime');
  if (/\bDATE\b/.test(type)) return as('date');
  if (/\bTIME\b/.test(type)) return as('time');
  if (affinity === 'NUMERIC') return null;
  if (isBirth || /(^|_)(date|day|on|born|due)$/.test(name)) return as('date');
  if (/(^|_)time$/.test(name)) return as('time');
  return MOMENT.test(name) ? as('datetime') : null;
}

/** `createdAt` and `Created At` become `created_at`. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
