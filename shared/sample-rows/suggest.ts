// Chooses where the values of each column come from: by its foreign key, its CHECK constraints, its name, and its type, in this order.
import type { SampleColumn, SampleSource, SuggestedColumn, SampleText, SampleTime } from '../protocol/sample-rows.ts';
import { valuesOf } from './source-values.ts';
import type { AllowedValues, ColumnFacts, ReferenceFacts, TableFacts } from './table-facts.ts';

const SOME_NULLS = 10;
/** A unique text with fewer values would not last for many rows. */
const ENOUGH_VALUES = 100_000;

type Choice = Pick<SampleColumn, 'source'> & { readonly why: string };

export function suggestColumns(facts: TableFacts): readonly SuggestedColumn[] {
  return facts.columns.map((column, place) => {
    const key = facts.unique.find((one) => one.includes(place)) ?? [];
    const reference = facts.references.find(({ columns }) => columns.includes(place)) ?? null;
    const isReference = reference !== null && (reference.hasRows || !reference.isLikely);
    const { source, why } = isReference
      ? referenceChoice(column, reference)
      : choiceFor(column, key.length === 1, key.length > 1);
    const isAlways = !column.canBeNull || key.length > 0 || source.kind === 'null' || source.kind === 'default';
    return {
      name: column.name,
      source,
      nullPercent: isAlways ? 0 : SOME_NULLS,
      declaredType: column.declaredType,
      canBeNull: column.canBeNull,
      refersTo: reference?.table ?? null,
      why,
    };
  });
}

function referenceChoice(column: ColumnFacts, { table, isOwn, isLikely, hasRows }: ReferenceFacts): Choice {
  if (!hasRows && !isOwn && column.canBeNull) return { source: { kind: 'null' }, why: `“${table}” has no rows` };
  return { source: { kind: 'reference' }, why: isLikely ? 'likely foreign key' : 'foreign key' };
}

function choiceFor(column: ColumnFacts, isUnique: boolean, isInKey: boolean): Choice {
  const { allowed } = column;
  if (column.isRowid) return { source: { kind: 'sequence', start: null, step: 1 }, why: 'primary key' };
  if (allowed.list !== null) return { source: { kind: 'list', values: allowed.list }, why: 'CHECK' };
  const byName = sourceByName(column);
  const found = byName ?? { source: byType(column), why: '' };
  const source = fitting(found.source, column);
  if (isUnique && isNumeric(column) && source.kind !== 'moment')
    return { source: { kind: 'sequence', start: null, step: 1 }, why: 'unique' };
  if (isInKey && source.kind === 'integer' && byName === null && allowed.most === null)
    return { source: { kind: 'integer', from: 1, to: 1000 }, why: 'key' };
  if (isUnique && !isLarge(source)) return { source: uniqueText(allowed), why: 'unique' };
  return { source, why: source === found.source || byName !== null ? found.why : 'CHECK' };
}

const isNumeric = ({ affinity }: ColumnFacts): boolean => affinity === 'INTEGER' || affinity === 'NUMERIC';

function isLarge(source: SampleSource): boolean {
  if (source.kind === 'default' || source.kind === 'reference') return false;
  const values = valuesOf(source);
  return values.kind === 'open' || values.size >= ENOUGH_VALUES;
}

function uniqueText({ longest, shortest }: AllowedValues): SampleSource {
  if (longest === null || longest > 24) return { kind: 'text', of: 'slug' };
  const length = Math.max(longest, shortest ?? 0, 1);
  return { kind: 'pattern', pattern: '*'.repeat(length) };
}

function byType({ affinity, declaredType, allowed }: ColumnFacts): SampleSource {
  const type = declaredType.toUpperCase();
  const days = { from: '2020-01-01', to: '2025-12-31' };
  if (type.includes('DATETIME') || type.includes('TIMESTAMP')) return { kind: 'moment', as: 'datetime', ...days };
  if (/\bDATE\b/.test(type)) return { kind: 'moment', as: 'date', ...days };
  if (/\bTIME\b/.test(type)) return { kind: 'moment', as: 'time', ...days };
  if (type.includes('BOOL')) return { kind: 'integer', from: 0, to: 1 };
  if (type.includes('JSON')) return { kind: 'text', of: 'json' };
  if (/UUID|GUID|UNIQUEIDENTIFIER/.test(type)) return { kind: 'text', of: 'uuid' };
  if (affinity === 'INTEGER') return { kind: 'integer', from: 0, to: 1000 };
  if (affinity === 'REAL') return { kind: 'real', from: 0, to: 1000, decimals: 2 };
  if (affinity === 'NUMERIC') return { kind: 'real', from: 0, to: 1000, decimals: decimalsOf(type) };
  if (type.includes('BLOB')) return { kind: 'blob', bytes: 16 };
  // A column without a type whose values have bounds holds numbers.
  if (affinity === 'BLOB' && (allowed.least !== null || allowed.most !== null))
    return { kind: 'integer', from: 0, to: 1000 };
  return { kind: 'words', from: 1, to: 3 };
}

/** `DECIMAL(10, 2)` */
const decimalsOf = (type: string): number => Math.min(6, Number(/\(\s*\d+\s*,\s*(\d+)\s*\)/.exec(type)?.[1] ?? 2));

/** Kept inside of what CHECK constraints allow. */
function fitting(source: SampleSource, { allowed }: ColumnFacts): SampleSource {
  if (source.kind === 'blob')
    return { ...source, bytes: Math.min(Math.max(source.bytes, allowed.shortest ?? 0), allowed.longest ?? Infinity) };
  if (source.kind === 'integer' || source.kind === 'real') return { ...source, ...range(source, allowed) };
  const isText = source.kind === 'words' || source.kind === 'text' || source.kind === 'pattern';
  const { shortest, longest } = allowed;
  if (!isText || (shortest === null && longest === null)) return source;
  const isTooShort = shortest !== null && shortest > 3;
  // Words that are cut after a few letters are words no more.
  if (!isTooShort && (longest === null || longest > 12)) return source;
  const length = Math.min(longest ?? Infinity, Math.max(shortest ?? 1, Math.min(longest ?? 8, 8)));
  return { kind: 'pattern', pattern: 'a'.repeat(length) };
}

function range(
  { from, to }: { readonly from: number; readonly to: number },
  { least, most }: AllowedValues,
): { readonly from: number; readonly to: number } {
  const low = Math.max(from, least ?? from);
  const high = Math.min(to, most ?? to);
  if (low <= high) return { from: low, to: high };
  // The allowed range lies outside the one that the name suggests.
  const width = to - from;
  return least === null ? { from: most! - width, to: most! } : { from: least, to: most ?? least + width };
}

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

function sourceByName(column: ColumnFacts): { readonly source: SampleSource; readonly why: string } | null {
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
