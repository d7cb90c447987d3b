// Files of every kind that people import, a few hundred bytes each, made from the values that they hold. What is read has to be these values.
import { parquetWriteBuffer } from 'hyparquet-writer';
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';

/** What a cell holds, as text; null: nothing. */
export type Cell = string | null;

export interface CorpusFile {
  /** The property that it has. */
  readonly name: string;
  readonly fileName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** How another program reads it: of CSV, as Python's module does. */
  readonly csv?: Dialect;
}

interface Dialect {
  readonly encoding: string;
  readonly delimiter: string;
  readonly quote: string;
  readonly escape?: string;
  readonly skipsBlanks?: boolean;
  readonly skipLines?: number;
}

const COLUMNS = ['id', 'amount', 'city', 'note'];
/** Numbers and what looks like numbers, of which some would be others as REAL. */
const AMOUNTS = ['7', '-12', '0.5', '3.25', '1000000', '12', '9007199254740993', '0'];
const ODD_AMOUNTS = ['007', '1.10', '9223372036854775808', '1e5', '+4', '-0', '0x1F', '1.', '.5', '1_000'];
const CITIES = ['Köln', 'Malmö', 'Orléans', 'Bern', 'Cádiz', 'Zürich'];
const NOTES = ['plain', 'two words', ' leading', 'trailing ', 'it’s', 'a-b', 'C:\\new', 'true', '2026-01-31', 'x'];
const HARD_NOTES = ['a, b; c|d', 'say "hi"', '"', 'two\nlines', 'tab\there', '""', "'single'", '#no comment'];

function rowsOf(random: Random, isOdd: boolean): readonly (readonly string[])[] {
  return Array.from({ length: 6 }, (_, at) => [
    String(at + 1),
    isOdd && at === 3 ? random.pick(ODD_AMOUNTS) : random.pick(AMOUNTS),
    CITIES[at]!,
    at === 4 ? '' : at % 2 === 0 ? random.pick(NOTES) : random.pick(HARD_NOTES),
  ]);
}

const latin1 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.replaceAll('’', "'"), (letter) => letter.charCodeAt(0));
const utf16 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'));
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const ENCODINGS = [
  ['utf-8', utf8],
  ['utf-8-sig', (text: string) => utf8(`\ufeff${text}`)],
  ['utf-16', utf16],
  ['cp1252', latin1],
] as const;
const NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
  '\x14': 'Concordance',
};

interface Style {
  readonly delimiter: string;
  readonly quote: string;
  readonly quotesAll: boolean;
  readonly end: string;
}

/** As RFC 4180 has it: quotes where they are needed, doubled within. */
function written(values: readonly string[], { delimiter, quote, quotesAll }: Style): string {
  return values
    .map((value) => {
      const isHard = [delimiter, quote, '\n', '\r'].some((part) => value.includes(part)) || value.startsWith('#');
      return quotesAll || isHard ? quote + value.replaceAll(quote, quote + quote) + quote : value;
    })
    .join(delimiter);
}

/** A pair of quotes is an empty text, and nothing at all is NULL. */
const cells = (rows: readonly (readonly string[])[], quotesAll: boolean): readonly (readonly Cell[])[] =>
  rows.map((row) => row.map((value) => (value === '' && !quotesAll ? null : value)));

function* delimited(): Generator<CorpusFile> {
  let seed = 0;
  for (const delimiter of [',', ';', '\t', '|'])
    for (const quotesAll of [false, true])
      for (const end of ['\n', '\r\n', '\r'])
        for (const [encoding, encode] of ENCODINGS)
          for (const isOdd of [false, true]) {
            const style = { delimiter, quote: '"', quotesAll, end };
            const rows = rowsOf(createRandom(++seed), isOdd).map((row) =>
              encoding === 'cp1252' ? row.map((value) => value.replaceAll('’', "'")) : row,
            );
            const lines = [COLUMNS, ...rows].map((row) => written(row, style));
            const ends = { '\n': 'LF', '\r\n': 'CR LF', '\r': 'CR' }[end];
            yield {
              name: `${NAMES[delimiter]}, ${quotesAll ? 'all quoted' : 'quoted where needed'}, ${ends}, ${encoding}${isOdd ? ', an odd number' : ''}`,
              fileName: delimiter === '\t' ? 'rows.tsv' : 'rows.csv',
              bytes: encode(lines.join(end) + (seed % 2 === 0 ? end : '')),
              columns: COLUMNS,
              rows: cells(rows, quotesAll),
              csv: { encoding, delimiter, quote: '"' },
            };
          }
}

/** Delimiters that few programs write. */
const RARE = [
  '||',
  '::',
  '|~|',
  '~|~',
  '^|^',
  '#',
  '$',
  '@',
  '^',
  '~',
  ';;',
  '##',
  '~~',
  '§',
  '¦',
  '#|#',
  '¬',
  '@@',
  '|#|',
];

/** Cells with signs that rare delimiters are made of. */
function* withSigns(): Generator<CorpusFile> {
  const kinds: readonly (readonly [name: string, cell: (number: number) => string])[] = [
    ['prices in dollars', (number) => `${number} $`],
    ['prices with a dollar sign', (number) => `$${number}`],
    ['hashtags', (number) => `#tag${number}`],
    ['names of accounts', (number) => `@user${number}`],
    ['slanted words', (number) => `*word${number}*`],
    ['strong words', (number) => `**word${number}**`],
    ['folders', (number) => `~/folder${number}`],
  ];
  const columns = ['first', 'second', 'third'];
  for (const [name, cell] of kinds)
    for (const delimiter of ['|', ',', ';', '\t']) {
      const rows = Array.from({ length: 4 }, (_, row) => columns.map((_name, at) => cell(row * 5 + at)));
      const numbered = rows.map(([, ...cells], at) => [String(at + 1), ...cells]);
      const text = (lines: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> =>
        utf8(lines.map((line) => `${line.join(delimiter)}\n`).join(''));
      yield {
        name: `${name} between “${delimiter}”`,
        fileName: 'a.csv',
        bytes: text([columns, ...rows]),
        columns,
        rows,
      };
      yield {
        name: `${name} between “${delimiter}”, no names`,
        fileName: 'a.csv',
        bytes: text(numbered),
        columns: ['column1', 'column2', 'column3'],
        rows: numbered,
      };
    }
}

function* rarelyDelimited(): Generator<CorpusFile> {
  const columns = ['id', 'name', 'amount', 'mail'];
  const rows = [
    ['1', 'Ann', '0.5', 'a.org'],
    ['2', 'Bo, Jr.', '12', null],
    ['3', 'Cy', null, 'c: d'],
    ['4', 'Dee', '7.25', 'd|e'],
  ];
  const texts = [
    ['city', 'land', 'sea'],
    ['Oslo', 'Norway', 'North'],
    ['Rome', 'Italy', 'Mediterranean'],
    ['Riga', 'Latvia', 'Baltic'],
  ];
  for (const delimiter of RARE)
    for (const fileName of ['rows.txt', 'rows.csv'])
      for (const [name, [names, ...values]] of [
        [
          'numbers and texts',
          [columns, ...rows.map((row) => row.map((cell) => (cell === 'd|e' && delimiter.includes('|') ? 'de' : cell)))],
        ],
        ['texts', texts],
      ] as const)
        yield {
          name: `${name} between “${delimiter}”, ${fileName}`,
          fileName,
          bytes: utf8([names!, ...values].map((row) => `${row.map((cell) => cell ?? '').join(delimiter)}\n`).join('')),
          columns: names as readonly string[],
          rows: values,
        };
}

/** Rows of a language in the encoding it was written in before UTF-8. */
const LANGUAGES: readonly (readonly [name: string, encodings: readonly string[], lines: string])[] = [
  ['Turkish', ['windows-1254'], 'İstanbul;Şişli;Gökçe Yılmaz|Ankara;Çankaya;Ayşe Öztürk|İzmir;Karşıyaka;Işıl Güneş|Muğla;Fethiye;Oğuz Yıldız'],
  ['Polish', ['windows-1250', 'iso-8859-2'], 'Łódź;Górna;Wójcik Żaneta|Kraków;Podgórze;Józef Śliwiński|Gdańsk;Wrzeszcz;Małgorzata|Poznań;Jeżyce;Łukasz'],
  ['Czech', ['windows-1250'], 'Příbram;Dvořák;žlutý kůň|Plzeň;Černý;zelený|Hradec Králové;Kovář;modrý|Jičín;Šťastný;černý'],
  ['Hungarian', ['windows-1250', 'iso-8859-2'], 'Győr;Szabó;hűtő|Székesfehérvár;Kőműves;őszi|Gödöllő;Tóth;tűz|Pécs;Kovács;zöld'],
  ['Romanian', ['iso-8859-2'], 'Iaşi;Ţară;mâine|Bucureşti;Ştefan;pâine|Braşov;Ioniţă;apă|Piteşti;Răzvan;sănătate'],
  ['Russian', ['windows-1251', 'koi8-r', 'ibm866'], 'Москва;Иванов;красный|Казань;Петров;синий|Омск;Сидоров;белый|Тула;Кузнецова;зелёный'],
  ['Ukrainian', ['windows-1251'], 'Київ;Шевченко;їжак|Львів;Коваленко;єдиний|Одеса;Бондаренко;ґанок|Харків;Ткаченко;річка'],
  ['Greek', ['windows-1253', 'iso-8859-7'], 'Αθήνα;Παπαδόπουλος;κόκκινο|Πάτρα;Γεωργίου;μπλε|Ρόδος;Νικολάου;άσπρο|Χανιά;Δημητρίου;πράσινο'],
  ['Hebrew', ['windows-1255'], 'ירושלים;כהן;אדום|תל אביב;לוי;כחול|חיפה;מזרחי;לבן|באר שבע;פרץ;ירוק'],
  ['Arabic', ['windows-1256'], 'القاهرة;محمد;أحمر|الرياض;علي;أزرق|دبي;حسن;أبيض|بغداد;فاطمة;أخضر'],
  ['Lithuanian', ['windows-1257'], 'Šiauliai;Žemaitis;žalias|Kaunas;Jonaitė;mėlynas|Klaipėda;Vaičiūnas;šviesus|Panevėžys;Kęstutis;geležinis'],
  ['Latvian', ['windows-1257'], 'Rīga;Bērziņš;zaļš|Jūrmala;Kalniņa;sarkans|Liepāja;Ozoliņš;zilā|Jēkabpils;Krūmiņa;brūns'],
  ['Thai', ['windows-874'], 'กรุงเทพ;สมชาย;แดง|เชียงใหม่;สมหญิง;ฟ้า|ภูเก็ต;อนันต์;ขาว|ขอนแก่น;มาลี;เขียว'],
  ['German', ['windows-1252'], 'Köln;Müller;weiß|Zürich;Jäger;grün|Fürth;Groß;schön|Düren;Böhm;süß'],
  ['French', ['windows-1252'], 'Orléans;Lefèvre;été|Nîmes;Gérard;forêt|Besançon;Noël;hôtel|Béziers;Zoé;œuvre'],
  ['Spanish', ['windows-1252'], 'Cádiz;Muñoz;año|León;Peña;niño|A Coruña;Núñez;¿qué?|Málaga;Ibáñez;¡olé!'],
  ['Portuguese', ['windows-1252'], 'São Paulo;João;pão|Maceió;Conceição;maçã|Belém;Antônio;coração|Brasília;Gonçalves;avó'],
  ['Icelandic', ['windows-1252'], 'Reykjavík;Þórður;það|Ísafjörður;Guðrún;rauður|Höfn;Sæmundur;hvítur|Akureyri;Ægir;blár'],
  ['Danish', ['windows-1252'], 'Århus;Sørensen;rød|Ølstykke;Kjær;grøn|Næstved;Bølle;blå|Aalborg;Åse;hvid'],
  ['German with euros', ['iso-8859-15'], 'Köln;5 €;weiß|Zürich;7,50 €;grün|Fürth;12 €;schön|Düren;1 €;süß'],
  ['several Western languages', ['windows-1252'], 'Köln;François;naïve|Málaga;Müller;fête|Århus;José;coração|Malmö;Þór;Groß'],
  ['few words of Czech', ['windows-1250'], 'Příbram;č;x|Jičín;město;y|Třebíč;d;z'],
  ['few words of Hungarian', ['windows-1250'], 'Győző;a;x|Hűvös;b;y|Őrség;c;z'],
  ['signs alone', ['windows-1252'], '5°C;7½;3²|7°C;2¼;5²|9°C;1½;m²'],
  ['Western languages that share letters with Hungarian', ['windows-1252'], 'Camões;Köln;José|Porto;Müller;Simões|Lisboa;Böhm;René|Braga;Jörg;Inês'],
]; // prettier-ignore

/** A text in an encoding with one byte for each letter. */
function inBytes(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const letters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Uint8Array.from(text, (letter) => letters.indexOf(letter));
}

/** No encoder has it: the bytes of 名前,市 / 山田太郎,東京都 / 鈴木花子,大阪市 / 佐藤次郎,名古屋. */
const SHIFT_JIS =
  '96bc914f2c8e730a8e52936391be98592c938c8b9e93730a97e996d889d48e712c91e58de38e730a8db293a18e9f98592c96bc8cc389ae0a';

/** The bytes of 编号,姓名 / 1,张三 / 2,李四 / 3,王五. */
const GB = 'b1e0bac52cd0d5c3fb0a312cd5c5c8fd0a322cc0eecbc40a332ccdf5cee50a';

function* chinese(): Generator<CorpusFile> {
  yield {
    name: 'few words of Chinese in GB 18030',
    fileName: 'names.csv',
    bytes: Uint8Array.from(Buffer.from(GB, 'hex')),
    columns: ['编号', '姓名'],
    rows: [
      ['1', '张三'],
      ['2', '李四'],
      ['3', '王五'],
    ],
  };
}

function* japanese(): Generator<CorpusFile> {
  yield {
    name: 'few words of Japanese in Shift_JIS',
    fileName: 'names.csv',
    bytes: Uint8Array.from(Buffer.from(SHIFT_JIS, 'hex')),
    columns: ['名前', '市'],
    rows: [
      ['山田太郎', '東京都'],
      ['鈴木花子', '大阪市'],
      ['佐藤次郎', '名古屋'],
    ],
  };
}

function* languages(): Generator<CorpusFile> {
  yield* japanese();
  yield* chinese();
  const columns = ['id', 'city', 'name', 'word'];
  for (const [name, encodings, lines] of LANGUAGES)
    for (const encoding of encodings) {
      const rows = lines.split('|').map((line, at) => [String(at + 1), ...line.split(';')]);
      yield {
        name: `${name} in ${encoding}`,
        fileName: 'cities.csv',
        bytes: inBytes([columns, ...rows].map((row) => row.join(';')).join('\r\n'), encoding),
        columns,
        rows,
      };
    }
}

/** Columns whose values contain what could be a delimiter. */
const SINGLE: readonly (readonly [name: string, header: string, values: readonly string[]])[] = [
  ['names', 'name', ['John Smith', 'Jane Doe', 'Mary Ann Lee', 'Bo']],
  ['dates with times', 'when', ['2020-01-01 10:00:01', '2020-01-02 11:00:01', '2020-01-03 12:30:00']],
  ['times', 'time', ['10:00:01', '11:20:00', '23:59:59']],
  ['addresses on the web', 'url', ['https://a.com/x', 'http://b.org/?q=1', 'https://c.net:8080/y']],
  ['network addresses', 'mac', ['00:1b:44:11:3a:b7', '00:1b:44:11:3a:b8', 'f0:1b:44:11:3a:b9']],
  ['telephone numbers', 'phone', ['+49 221 123 45', '+41 44 668 18 00', '+33 1 70 36 39 50']],
  ['sentences', 'text', ['One thing, and another.', 'Well: no.', 'A; b and c.', 'Yes, or no, or both.']],
  ['numbers', 'n', ['1', '2', '30']],
  ['words', 'word', ['a', 'b', 'c']],
  ['addresses of people', 'mail', ['ann@example.org', 'bob@example.com', 'cy@b.de']],
  ['prices', 'price', ['$5.00', '$12.50', '$0.99']],
  ['prices in words', 'price', ['US$5.00', 'US$12.50', 'US$0.99']],
  ['hashtags', 'tag', ['#one', '#two', '#three']],
  ['numbers of issues', 'issue', ['#12', '#7', '#345']],
  ['network addresses of 128 bits', 'ip', ['fe80::1', '2001:db8::ff00:42:8329', '::1']],
  ['names of programs', 'type', ['std::vector', 'std::map', 'boost::any']],
  ['folders', 'folder', ['~/a', '~/b/c', '~/d']],
  ['formulas', 'formula', ['x^2', 'y^3', 'a^b^c']],
  ['strong words', 'text', ['**one**', '**two**', '**three**']],
];

function* single(): Generator<CorpusFile> {
  for (const [name, header, values] of SINGLE)
    for (const quotesAll of [false, true])
      for (const fileName of ['column.csv', 'column.txt'])
        for (const end of ['\n', '\r\n']) {
          // A comma in a file named .csv is a delimiter unless it is in quotes.
          if (name === 'sentences' && !quotesAll) continue;
          const line = (value: string): string => (quotesAll ? `"${value}"` : value);
          yield {
            name: `one column of ${name}${quotesAll ? ', quoted' : ''}, ${fileName}, ${end === '\n' ? 'LF' : 'CR LF'}`,
            fileName,
            bytes: utf8([header, ...values].map((value) => line(value) + end).join('')),
            columns: [header],
            rows: values.map((value) => [value]),
            csv: { encoding: 'utf-8', delimiter: '\x1f', quote: '"' },
          };
        }
}

function* dialects(): Generator<CorpusFile> {
  const people = [
    ['1', 'Smith, John', 'said "no"'],
    ['2', 'Doe, Jane', 'x\\y'],
    ['3', 'Bee', 'said "yes" twice'],
  ];
  const columns = ['id', 'name', 'note'];
  const lines = (of: (value: string) => string, delimiter: string): string =>
    [columns, ...people].map((row) => `${row.map(of).join(delimiter)}\n`).join('');
  const escaped = (value: string): string => value.replace(/[\\"]/g, '\\$&');
  for (const delimiter of [',', ';', '\t', '|'])
    for (const blanks of ['', ' '])
      for (const escape of ['', '\\']) {
        if (blanks === '' && escape === '') continue;
        const inner = escape === '' ? (value: string) => value.replaceAll('"', '""') : escaped;
        yield {
          name: `${NAMES[delimiter]}${blanks && ', blanks before quotes'}${escape && ', quotes behind backslashes'}`,
          fileName: 'people.csv',
          bytes: utf8(lines((value) => `"${inner(value)}"`, delimiter + blanks)),
          columns,
          rows: people,
          csv: { encoding: 'utf-8', delimiter, quote: '"', ...(escape && { escape }), skipsBlanks: blanks !== '' },
        };
      }
  yield {
    name: 'Concordance',
    fileName: 'load.dat',
    bytes: utf8(lines((value) => `þ${value}þ`, '\x14')),
    columns,
    rows: people,
    csv: { encoding: 'utf-8', delimiter: '\x14', quote: 'þ' },
  };
  for (const [delimiter, years] of [',', ';', '\t'].flatMap((one) => [1, -1].map((step) => [one, step] as const))) {
    const names = ['k', ...[2019, 2021, 2023].sort((a, b) => (a - b) * years).map(String)];
    const rows = ['a', 'b', 'c'].map((key, at) => [key, String(at), String(at * 7), String(at + 100)]);
    yield {
      name: `years as names, ${NAMES[delimiter]}, ${years > 0 ? 'up' : 'down'}`,
      fileName: 'years.csv',
      bytes: utf8([names, ...rows].map((row) => row.join(delimiter)).join('\n')),
      columns: names,
      rows,
      csv: { encoding: 'utf-8', delimiter, quote: '"' },
    };
  }
  for (const length of [66_000, 1_100_000]) {
    const rows = Array.from({ length: Math.ceil(length / 20) }, (_, at) => [String(at), `plain name ${at % 7}`]);
    rows.push(['last', 'Müller, Köln'], ['really', 'Fräulein Groß']);
    yield {
      name: `Latin-1 after ${length} bytes of ASCII`,
      fileName: 'long.csv',
      bytes: latin1(
        [['k', 'name'], ...rows]
          .map((row) => written(row, { delimiter: ',', quote: '"', quotesAll: false, end: '\n' }))
          .join('\n'),
      ),
      columns: ['k', 'name'],
      rows,
      csv: { encoding: 'cp1252', delimiter: ',', quote: '"' },
    };
  }
}

/** Texts that look like values of other kinds, in formats that tell them from these. */
const TEXTS = [
  '1.10',
  '1',
  '007',
  'true',
  'null',
  '',
  ' ',
  '2026-01-31',
  '1e5',
  'ü"\\\n',
  '[1]',
  '{"a":1}',
  '😀',
  '-0',
  '\u2028',
];

function* json(): Generator<CorpusFile> {
  for (const [at, text] of TEXTS.entries())
    for (const shape of ['json', 'ndjson', 'part', 'nested', 'arrays in an object', 'arrays'] as const) {
      const rows = [
        [String(at), text],
        ['x', 'y'],
        ['z', null],
      ] as const;
      const objects = rows.map(([k, v]) => ({ k, v }));
      const content = {
        json: JSON.stringify(objects, null, at % 2 === 0 ? 2 : 0),
        ndjson: objects.map((row) => JSON.stringify(row)).join('\n'),
        part: JSON.stringify({ count: 3, next: null, results: objects }),
        nested: JSON.stringify(
          { ok: true, response: { meta: { n: 3 }, result: { rows: objects, next: null } } },
          null,
          1,
        ),
        'arrays in an object': JSON.stringify({ data: { names: ['k', 'v'], rows: [['k', 'v'], ...rows] } }),
        arrays: JSON.stringify([['k', 'v'], ...rows]),
      }[shape];
      yield {
        name: `${shape}: the text ${JSON.stringify(text)}`,
        fileName: shape === 'ndjson' ? 'rows.ndjson' : 'rows.json',
        bytes: utf8(content),
        columns: ['k', 'v'],
        rows,
      };
    }
}

/** Columns of integers that mean moments, with what they mean. */
const MOMENTS: readonly (readonly [name: string, type: 'INT32' | 'INT64', meaning: object, of: Readonly<Record<string, bigint>>])[] = [
  ['days', 'INT32', { converted_type: 'DATE' }, { infinity: 2n ** 31n - 1n, '-infinity': 1n - 2n ** 31n, '+10000-01-01': 2_932_897n, '-0001-12-31': -719_529n, '2024-02-29': 19_782n }],
  ['days of PostgreSQL', 'INT32', { converted_type: 'DATE' }, { '-infinity': -(2n ** 31n), '1970-01-01': 0n }],
  ['milliseconds', 'INT64', { converted_type: 'TIMESTAMP_MILLIS' }, { infinity: 2n ** 63n - 1n, '-infinity': -(2n ** 63n), '+12345-01-02 03:04:05.000': 327_403_479_845_000n }],
  ['microseconds', 'INT64', { converted_type: 'TIMESTAMP_MICROS' }, { infinity: 2n ** 63n - 1n, '-infinity': 1n - 2n ** 63n, '-0043-03-15 03:04:05.000000': -63_517_812_955_000_000n }],
  ['times', 'INT64', { converted_type: 'TIME_MICROS' }, { '24:00:00.000000': 86_400_000_000n, '00:00:00.000000': 0n }],
]; // prettier-ignore

function* parquet(): Generator<CorpusFile> {
  for (const [name, type, meaning, of] of MOMENTS) {
    const values = Object.values(of).map((value) => (type === 'INT32' ? Number(value) : value));
    const file = parquetWriteBuffer({
      columnData: [{ name: 'v', data: values }],
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'v', type, repetition_type: 'REQUIRED', ...meaning },
      ],
    });
    yield {
      name: `Parquet: odd ${name}`,
      fileName: 'moments.parquet',
      bytes: new Uint8Array(file),
      columns: ['v'],
      rows: Object.keys(of).map((text) => [text]),
    };
  }
}

export const CORPUS: readonly CorpusFile[] = [
  ...delimited(),
  ...languages(),
  ...rarelyDelimited(),
  ...withSigns(),
  ...single(),
  ...dialects(),
  ...json(),
  ...parquet(),
];
