// Delimited text that is hard to read, and what is read: for the tests of everything that imports it.

/** Nothing between two delimiters is `''`, `""` is `EMPTY_QUOTED`, and what a short record lacks is null. */
export type ExpectedField = string | null;
export const EMPTY_QUOTED = Symbol.for('quoted empty').toString();
const Q = EMPTY_QUOTED;

export interface DifficultCsv {
  readonly name: string;
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly options?: {
    readonly delimiter?: string;
    readonly quote?: string;
    readonly comment?: string;
    readonly skipLines?: number;
    readonly hasHeader?: boolean;
    readonly encoding?: string;
  };
  readonly columns: readonly string[];
  readonly records: readonly (readonly ExpectedField[])[];
  /** The line each record begins in, where that is not 2, 3, 4 … */
  readonly lines?: readonly number[];
  /** Line, and what the reason says. */
  readonly problems?: readonly (readonly [number, RegExp])[];
  readonly notices?: readonly (readonly [number, RegExp])[];
}

const bytes = (...parts: readonly (string | number)[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])));
const wide = Array.from({ length: 2_000 }, (_, at) => `c${at}`);
const huge = 'x'.repeat(3 << 20);

const QUOTES: readonly DifficultCsv[] = [
  {
    name: 'empty and quoted empty',
    text: 'a,b,c\n,"",x\n"",,""\n',
    columns: ['a', 'b', 'c'],
    records: [
      ['', Q, 'x'],
      [Q, '', Q],
    ],
  },
  {
    name: 'doubled quotes',
    text: 'a,b\n"say ""hi""","""\n"""\n"""",""""""\n',
    columns: ['a', 'b'],
    records: [
      ['say "hi"', '"\n"'],
      ['"', '""'],
    ],
    lines: [2, 4],
  },
  {
    name: 'delimiters and line breaks within quotes',
    text: 'a,b\n"1,2","x\ny\r\nz\rw"\n3,4\n',
    columns: ['a', 'b'],
    records: [
      ['1,2', 'x\ny\r\nz\rw'],
      ['3', '4'],
    ],
    lines: [2, 6],
  },
  { name: 'quotes within text', text: 'a,b\n5" pipe,x"y"\n', columns: ['a', 'b'], records: [['5" pipe', 'x"y"']] },
  {
    name: 'blanks around quotes are text',
    text: 'a,b\n "x", "y" \n',
    columns: ['a', 'b'],
    records: [[' "x"', ' "y" ']],
  },
  {
    name: 'text behind a closing quote',
    text: 'a,b,c\n"x"y,"m\nn",2\n1,2,3\n',
    columns: ['a', 'b', 'c'],
    records: [['1', '2', '3']],
    lines: [4],
    problems: [[2, /^Text follows the closing quote of cell 1\.$/]],
  },
  {
    name: 'unclosed quote, and a quote later on',
    text: 'a,b,c\n1,2,3\n4,"5,6\n7,8,9\n10,"11",12\n13,14,15\n',
    columns: ['a', 'b', 'c'],
    records: [
      ['1', '2', '3'],
      ['7', '8', '9'],
      ['10', '11', '12'],
      ['13', '14', '15'],
    ],
    lines: [2, 4, 5, 6],
    problems: [[3, /^A quote is opened in cell 2 of line 3, and other text follows the next one, in line 5\.$/]],
  },
  {
    name: 'unclosed quote, and no other one',
    text: 'a,b\n1,"2\n3,4\n5,6\n',
    columns: ['a', 'b'],
    records: [
      ['3', '4'],
      ['5', '6'],
    ],
    lines: [3, 4],
    problems: [[2, /^A quote is opened in cell 2 of line 2, and the file ends before it is closed\.$/]],
  },
  {
    name: 'unclosed quote in the last field',
    text: 'a,b\n1,"',
    columns: ['a', 'b'],
    records: [],
    problems: [[2, /file ends/]],
  },
  {
    name: 'single quotes',
    text: "a,b\n'x,y','it''s'\n\"z\",1\n",
    options: { quote: "'" },
    columns: ['a', 'b'],
    records: [
      ['x,y', "it's"],
      ['"z"', '1'],
    ],
  },
  { name: 'no quotes', text: 'a,b\n"x,y"\n', options: { quote: '' }, columns: ['a', 'b'], records: [['"x', 'y"']] },
];

const LINES: readonly DifficultCsv[] = [
  {
    name: 'mixed line endings',
    text: 'a,b\r\n1,2\n3,4\r5,6\r\n7,8',
    columns: ['a', 'b'],
    records: [
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
      ['7', '8'],
    ],
  },
  { name: 'no line break at the end', text: 'a,b\n1,', columns: ['a', 'b'], records: [['1', '']] },
  {
    name: 'a last line that is cut off',
    text: 'a,b,c\n1,2,3\n4,5',
    columns: ['a', 'b', 'c'],
    records: [
      ['1', '2', '3'],
      ['4', '5', null],
    ],
    notices: [[3, /^1 record with fewer than 3 fields: what is missing is NULL\.$/]],
  },
  {
    name: 'blank lines',
    text: '\n\na,b\n\n1,2\r\n\r\n\r3,4\n\n',
    columns: ['a', 'b'],
    records: [
      ['1', '2'],
      ['3', '4'],
    ],
    lines: [5, 8],
  },
  {
    name: 'blank lines of one column',
    text: 'a\n1\n\n""\n3\n',
    columns: ['a'],
    records: [['1'], [''], [Q], ['3']],
  },
  {
    name: 'comments',
    text: '#one\na,b\n# two, "\n1,2\n3,#4\n#five',
    options: { comment: '#' },
    columns: ['a', 'b'],
    records: [
      ['1', '2'],
      ['3', '#4'],
    ],
    lines: [4, 5],
  },
  {
    name: 'comments of two characters',
    text: '--one\na,b\n-1,2\n--x\n-',
    options: { comment: '--' },
    columns: ['a', 'b'],
    records: [
      ['-1', '2'],
      ['-', null],
    ],
    lines: [3, 5],
    notices: [[5, /fewer/]],
  },
  {
    name: 'lines to skip',
    text: 'Report "of\r\n\na,b\n1,2\n',
    options: { skipLines: 2 },
    columns: ['a', 'b'],
    records: [['1', '2']],
    lines: [4],
  },
  { name: 'nothing', text: '', columns: [], records: [] },
  { name: 'a header alone', text: 'a,b', columns: ['a', 'b'], records: [] },
  { name: 'line breaks alone', text: '\n\r\n\r', columns: [], records: [] },
  {
    name: 'ragged records',
    text: 'a,b,c\n1\n1,2,3,\n1,2,3,,,\n1,2,3,4\n1,2,3,""\n,,\n',
    columns: ['a', 'b', 'c'],
    records: [
      ['1', null, null],
      ['1', '2', '3'],
      ['1', '2', '3'],
      ['', '', ''],
    ],
    lines: [2, 3, 4, 7],
    problems: [
      [5, /^The row has 4 cells, but the file has 3 columns\.$/],
      [6, /^The row has 4 cells/],
    ],
    notices: [[2, /^1 record with fewer/]],
  },
];

const BYTES: readonly DifficultCsv[] = [
  {
    name: 'NUL bytes',
    text: 'a,b\n1\0,\0\n\0"x",2\n',
    columns: ['a', 'b'],
    records: [
      ['1\0', '\0'],
      ['\0"x"', '2'],
    ],
    notices: [[2, /NUL/]],
  },
  {
    name: 'byte order marks at the beginning, of a line and of a field',
    text: '\ufeffa,b\n1,2\n\ufeff3,\ufeff4\n',
    columns: ['a', 'b'],
    records: [
      ['1', '2'],
      ['3', '\ufeff4'],
    ],
    notices: [[3, /^1 byte order mark/]],
  },
  {
    name: 'a byte order mark before a quote',
    text: '\ufeff"a,x",b\n1,2\n',
    columns: ['a,x', 'b'],
    records: [['1', '2']],
  },
  { name: 'a byte order mark alone', text: '\ufeff', columns: [], records: [] },
  {
    name: 'bytes that are no UTF-8',
    text: bytes('a,b\nx', 0xe9, ',y\n', 0xff, 0xfe, ',é\n'),
    columns: ['a', 'b'],
    records: [
      ['x\ufffd', 'y'],
      ['\ufffd\ufffd', 'é'],
    ],
    notices: [[2, /not valid UTF-8/]],
  },
  {
    name: 'Windows-1252',
    text: bytes('a;b\n', 0xe4, ';', 0x80, '\n'),
    options: { encoding: 'windows-1252', delimiter: ';' },
    columns: ['a', 'b'],
    records: [['ä', '€']],
  },
  {
    name: 'UTF-16 with a byte order mark',
    text: bytes(0xff, 0xfe, 'a', 0, ',', 0, 'b', 0, '\n', 0, 0x3d, 0xd8, 0, 0xde, ',', 0, '"', 0, '"', 0),
    options: { encoding: 'utf-16le' },
    columns: ['a', 'b'],
    records: [['😀', Q]],
  },
  {
    name: 'UTF-32',
    text: bytes(0, 0, 0xfe, 0xff, 0, 0, 0, 'a', 0, 0, 0, '\n', 0, 1, 0xf6, 0),
    options: { encoding: 'utf-32be' },
    columns: ['a'],
    records: [['😀']],
  },
];

const COLUMNS: readonly DifficultCsv[] = [
  {
    name: 'duplicate and empty headers',
    text: 'a,A,,a_2,"",a\n1,2,3,4,5,6\n',
    columns: ['a', 'A_3', 'column3', 'a_2', 'column5', 'a_4'],
    records: [['1', '2', '3', '4', '5', '6']],
    notices: [[1, /are called “A_3”, “column3”, “column5”, “a_4”\.$/]],
  },
  {
    name: 'a header that is too short',
    text: 'a,b\n1,2,3\n4,5,6\n',
    columns: ['a', 'b', 'column3'],
    records: [
      ['1', '2', '3'],
      ['4', '5', '6'],
    ],
    notices: [[1, /“column3”/]],
  },
  {
    name: '2,000 columns',
    text: `${wide.join(',')}\n${wide.join(',')}\n${wide.join(',')}`,
    columns: wide,
    records: [wide, wide],
  },
  {
    name: 'no header, and a first record that is short',
    text: '1\n2,3\n',
    options: { hasHeader: false },
    columns: ['column1', 'column2'],
    records: [
      ['1', null],
      ['2', '3'],
    ],
    lines: [1, 2],
    notices: [[1, /fewer/]],
  },
  {
    name: 'a delimiter of two characters',
    text: 'a||b|c||d\n"1||2"||3|||4\n|||||\n',
    options: { delimiter: '||' },
    columns: ['a', 'b|c', 'd'],
    records: [
      ['1||2', '3', '|4'],
      ['', '', '|'],
    ],
  },
  {
    name: 'a delimiter beyond ASCII',
    text: 'a¦b\n"1¦"¦2Â\n',
    options: { delimiter: '¦' },
    columns: ['a', 'b'],
    records: [['1¦', '2Â']],
  },
  { name: 'tabs', text: 'a\tb\n 1\t\n', options: { delimiter: '\t' }, columns: ['a', 'b'], records: [[' 1', '']] },
  {
    name: 'no delimiter',
    text: 'a,b\n1,2\n',
    options: { delimiter: '' },
    columns: ['a,b'],
    records: [['1,2']],
  },
  {
    name: 'fields of megabytes',
    text: `a,b\n${huge},"${huge}"\n"${huge}\n""",2\n`,
    columns: ['a', 'b'],
    records: [
      [huge, huge],
      [`${huge}\n"`, '2'],
    ],
  },
];

export const DIFFICULT: readonly DifficultCsv[] = [...QUOTES, ...LINES, ...BYTES, ...COLUMNS];
