import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '#shared/protocol/import.ts';
import { csvFormat } from './csv.ts';

const encoder = new TextEncoder();

interface Case {
  readonly name: string;
  readonly text: string;
  readonly fileName?: string;
  readonly given?: Partial<ImportOptions>;
  readonly found: Partial<ImportOptions>;
  /** Text that the reason for some options must match. */
  readonly because?: Partial<Record<keyof ImportOptions, RegExp>>;
}

const many = (line: (at: number) => string): string => Array.from({ length: 37 }, (_, at) => line(at)).join('\n');

const CASES: readonly Case[] = [
  {
    name: 'commas',
    text: 'a,b,c\n1,2,3\n4,NULL,6\n',
    found: {
      delimiter: ',',
      quote: '"',
      hasHeader: true,
      decimalComma: false,
      nullTokens: ['', 'NULL'],
      comment: '',
      skipLines: 0,
    },
    because: {
      delimiter: /^All 3 lines have 2 commas outside quotes\.$/,
      hasHeader: /^“a” is above numbers/,
      nullTokens: /“NULL” appears once/,
      encoding: /only ASCII/,
    },
  },
  ...['|~|', '#', '$', '@', '^', '~', '||', '::', '##'].map((delimiter): Case => ({
    name: `rare delimiters without names: ${delimiter}`,
    text: ['1|Ann|0.5', '2|Bo|7', '3|Cy|8.25'].join('\n').replaceAll('|', delimiter),
    found: { delimiter, hasHeader: false },
  })),
  ...['^', '~', '|'].flatMap((delimiter): readonly Case[] =>
    [
      ['a cell that is always empty', '1||x1|3\n2||x2|6\n3||x3|9\n'],
      ['two cells that are always empty', '1|||3\n2|||6\n3|||9\n'],
      ['a cell that is always the same', 'a1|*|b1|1\na2|*|b2|2\na3|*|b3|3\n'],
    ].map(([name, text]) => ({
      name: `${name}, between ${delimiter}`,
      text: text!.replaceAll('|', delimiter),
      found: { delimiter, hasHeader: false },
    })),
  ),
  ...[
    'a@b.org\nb@c.com\nd@e.de\n',
    '$5.00\n$6.50\n$7\n',
    '5$\n6$\n7$\n',
    'US$5.00\nUS$6.50\nUS$7\n',
    '#1\n#2\n#3\n',
    '#one\n#two\n#three\n',
    '#a #b\n#c #d\n#e #f\n',
    'fe80::1\nfe80::2\n::1\n',
    'std::vector\nstd::map\nstd::set\n',
    'std::chrono::seconds\nstd::chrono::hours\nboost::asio::ip\n',
    '~/a\n~/b\n~/c\n',
    'x^2\ny^3\nz^4\n',
    '@ann\n@bob\n@cy\n',
    'a == b\nc == d\ne == f\n',
    'https://a.org/#x\nhttps://b.org/#y\nhttps://c.org/#z\n',
    'C#\nF#\nJ#\n',
    'issue#1\nissue#2\nissue#3\n',
    '10*10\n20*20\n',
  ].map((text): Case => ({ name: `one column: ${text.split('\n')[0]}`, text, found: { delimiter: '' } })),
  {
    name: 'quotes behind a backslash',
    text: 'name,said\nAnna,"she said \\"no\\", twice"\nBen,"yes"\n',
    found: { delimiter: ',', quote: '"', escape: '\\', skipsBlanks: false },
    because: { escape: /^A backslash before a quote/ },
  },
  {
    name: 'delimiters behind a backslash, without quotes',
    text: 'name,n\nSmith\\, John,1\nDoe\\, Jane,2\nBee\\, Bo,3\n',
    found: { delimiter: ',', escape: '\\', hasHeader: true },
  },
  {
    name: 'folders that end with a backslash',
    text: 'folder,n\n"C:\\a\\",1\n"C:\\b\\",2\n',
    found: { delimiter: ',', quote: '"', escape: '' },
  },
  {
    name: 'folders that end with a backslash, without quotes',
    text: 'folder,n\nC:\\a\\,1\nC:\\b\\,2\n',
    found: { delimiter: ',', escape: '' },
  },
  {
    name: 'blanks before quotes',
    text: 'id, name, note\n1, "Smith, John", "a"\n2, "Doe, Jane", "b"\n',
    found: { delimiter: ',', quote: '"', skipsBlanks: true, hasHeader: true },
    because: { skipsBlanks: /^There are blanks between/ },
  },
  {
    name: 'blanks before text',
    text: 'id, name\n1, John\n2, Jane\n',
    found: { delimiter: ',', skipsBlanks: false },
  },
  {
    name: 'Concordance',
    text: 'þBEGDOCþ\x14þTITLEþ\nþA-1þ\x14þone, "two"þ\nþA-2þ\x14þ3®4þ\n',
    fileName: 'load.dat',
    found: { delimiter: '\x14', quote: 'þ', hasHeader: true },
    because: { delimiter: /1 control character 20/ },
  },
  {
    name: 'semicolons and decimal commas, as in Germany and France',
    text: 'Name;Preis;Datum\nÄpfel;1,50;31.12.2024\nBirnen;2,25;01.01.2025\n',
    found: { delimiter: ';', hasHeader: true, decimalComma: true },
    because: { decimalComma: /^2 numbers such as 1,50 have a comma, none a point\.$/ },
  },
  {
    name: 'nothing but decimal commas',
    text: '1,5;2,5;3,5\n1,5;2,5;3,5\n',
    found: { delimiter: ';', hasHeader: false, decimalComma: true },
    because: { hasHeader: /^The first line has values, such as “1,5”\.$/ },
  },
  {
    name: 'thousands with a point',
    text: 'a;b\n"1.234,56";x\n"2,5";y\n',
    found: { delimiter: ';', decimalComma: true },
  },
  {
    name: 'thousands with a point, of which most have no decimals',
    text: 'a;b\n1.234,5;2.500\n3,5;1.250\n4,5;7.000\n1,5;1.100\n',
    found: { delimiter: ';', decimalComma: true },
  },
  {
    name: 'thousands with a point beside a column of decimal commas',
    text: 'a;b\n1.000;2,5\n2.500;3\n12.250;1,25\n',
    found: { delimiter: ';', decimalComma: true },
  },
  {
    name: 'three decimals and a comma elsewhere',
    text: 'a;b\n3,5;2.500\nx;1.250\ny;7.125\n',
    found: { delimiter: ';', decimalComma: false },
  },
  {
    name: 'thousands with a comma',
    text: 'a;b\n1,234;x\n2,500;y\n',
    found: { delimiter: ';', decimalComma: false },
  },
  {
    name: 'one line that differs',
    text: `${many((at) => `${at};${at};${'x;'.repeat(9)}`)}\nend`,
    found: { delimiter: ';' },
    because: { delimiter: /^37 of 38 lines have 11 semicolons outside quotes\.$/ },
  },
  { name: 'tabs', text: 'id\tname, first\n1\tx, y\n2\tz\n', found: { delimiter: '\t', hasHeader: true } },
  { name: 'vertical bars', text: 'a|b\n1|x,y\n2|z\n', found: { delimiter: '|' } },
  { name: 'a multi-character delimiter', text: 'a||b||c\n1||2||3\n', found: { delimiter: '||' } },
  {
    name: 'delimiters in quotes',
    text: 'id,"text, with ""quotes"" ; and; others"\n1,"a;b;c"\n2,"d;e;f"\n',
    found: { delimiter: ',', quote: '"' },
    because: { quote: /^There are cells in quotes\.$/ },
  },
  { name: 'single quotes', text: "a,b\n'x,y',1\n'z,w',2\n", found: { delimiter: ',', quote: "'" } },
  {
    name: 'quotes that are inches',
    text: 'id|v\n1|5" pipe\n2|"foo\n3|x\n4|y\n',
    found: { delimiter: '|', quote: '' },
    because: { quote: /are not paired/ },
  },
  {
    name: 'one column',
    text: 'a\n1\n2\n',
    found: { delimiter: '', hasHeader: true },
    because: { delimiter: /one column/ },
  },
  { name: 'sentences', text: 'Hello, world\nthis is text\nand more, and more, text\n', found: { delimiter: '' } },
  ...[
    ['names of people', 'name\nJohn Smith\nJane Doe\n'],
    ['names of people in quotes', '"name"\n"John Smith"\n"Jane Doe"\n'],
    ['names of people, last name first', 'name\nSmith, John\nDoe, Jane\n'],
    ['dates with times', 'when\n2020-01-01 10:00:01\n2020-01-02 11:30:00\n'],
    ['dates with times in quotes', '"when"\n"2020-01-01 10:00:01"\n"2020-01-02 11:30:00"\n'],
    ['times', 'time\n10:00:01\n11:30:00\n'],
    ['hours and minutes', 'at\n10:30\n11:45\n'],
    ['addresses on the web', 'url\nhttps://a.com/x\nhttps://b.com/y?z=1|2\n'],
    ['addresses of network cards', 'mac\n00:1a:2b:3c:4d:5e\n00:1a:2b:3c:4d:5f\n'],
    ['prices with a comma', 'price\n1,50\n2,75\n12,00\n'],
    ['cells with commas in quotes', 'place\n"Ulm, Germany"\n"Lyon, France"\n'],
    ['cells with commas in quotes, all of them', '"a, b"\n"c, d"\n"e, f"\n'],
    ['sentences below a name', 'comment\nWell, it works\nfine\nyes, no, and maybe\n'],
    ['digits in groups', 'population\n1 234 567\n12 345\n'],
    ['telephone numbers', 'phone\n+49 170 1234567\n+49 171 7654321\n'],
    ['paths', 'file\nC:\\data\\a b.txt\nC:\\data\\c d.txt\n'],
    ['ratios', 'aspect\n16:9\n4:3\n'],
  ].flatMap(([name, text]): Case[] =>
    ['people.csv', 'people.txt'].map((fileName) => ({
      name: `one column: ${name}, ${fileName}`,
      text: text!,
      fileName,
      found: { delimiter: '', quote: '"', skipLines: 0 },
    })),
  ),
  ...[
    ['dates with times', '2020-01-01 10:00:01\n2020-01-02 11:30:00\n'],
    ['times', '10:00:01\n11:30:00\n12:00:00\n'],
    ['names of people', 'John Smith\nJane Doe\nMary Jones\n'],
    ['telephone numbers', '+49 170 1234567\n+49 171 7654321\n'],
  ].map(([name, text]): Case => ({
    name: `one column without a name: ${name}`,
    text: text!,
    found: { delimiter: '', skipLines: 0 },
  })),
  { name: 'blanks, as a last resort', text: 'id x y\n1 2.5 3\n2 3.5 4\n', found: { delimiter: ' ', hasHeader: true } },
  {
    name: 'colons, as a last resort',
    text: 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n',
    found: { delimiter: ':', hasHeader: false },
  },
  { name: 'blanks after commas', text: 'id, name\n1, x\n2, y\n', found: { delimiter: ',' } },
  {
    name: 'a word above a table',
    text: 'Report\nid,name\n1,x\n2,y\n3,z\n',
    found: { delimiter: ',', skipLines: 1, hasHeader: true },
  },
  { name: 'years as names', text: 'k,2019,2021,2023\na,1,2,3\nb,4,5,6\n', found: { hasHeader: true } },
  { name: 'years as names, the latest first', text: 'k,2023,2022\na,1,2\nb,4,5\n', found: { hasHeader: true } },
  { name: 'years as values', text: 'a,1998,2001\nb,1999,2003\nc,2000,2002\n', found: { hasHeader: false } },
  {
    name: 'more comments than rows',
    text: '# made by x\n# on Monday\n# in Ulm\n# by hand\nid,name\n1,x\n',
    found: { comment: '#', skipLines: 0, hasHeader: true, delimiter: ',' },
  },
  {
    name: 'a title above names of which the last is missing',
    text: 'Report 2024;;;\n;;;\nid;name;age;\n1;x;5;a\n2;y;6;b\n3;z;7;c\n',
    found: { delimiter: ';', skipLines: 2, hasHeader: true },
  },
  { name: 'nothing', text: '', found: { delimiter: '', quote: '"', encoding: 'utf-8' } },
  { name: 'one word', text: 'x', found: { delimiter: '', hasHeader: false } },
  { name: 'one line', text: 'a,b,c', found: { delimiter: ',', hasHeader: false } },
  {
    name: 'the line spreadsheets write',
    text: 'sep=;\na;b\n1;2\n',
    found: { delimiter: ';', skipLines: 1, hasHeader: true },
    because: { delimiter: /^The first line says so\.$/ },
  },
  {
    name: 'comments',
    text: '# made by x, y\n# on Monday\nid\tname\n1\tx\n2\tNA\n',
    found: { delimiter: '\t', comment: '#', skipLines: 0, nullTokens: [''] },
    because: { comment: /^2 lines begin with “#”\.$/ },
  },
  { name: 'a header row with a number sign', text: '#id,name\n1,x\n2,y\n', found: { comment: '', hasHeader: true } },
  {
    name: 'a title above the table',
    text: 'Report 2024\nby me\n\nid,name,age\n1,x,5\n2,y,NA\n3,z,7\n',
    found: { delimiter: ',', skipLines: 3, hasHeader: true, nullTokens: ['', 'NA'] },
    because: { skipLines: /^The first 3 lines have fewer cells than the others\.$/ },
  },
  {
    name: 'a title that is filled up with empty cells',
    text: 'Report 2024;;;\n;;;\nid;name;age;city\n1;x;5;Ulm\n2;y;;\n3;z;7;\n',
    found: { delimiter: ';', skipLines: 2, hasHeader: true },
    because: { skipLines: /^The first 2 lines have text in one cell at most, above the names of the columns\.$/ },
  },
  {
    name: 'a title of which one line is filled up',
    text: 'Report 2024\nby me,,\nid,name,age\n1,x,5\n2,y,6\n',
    found: { delimiter: ',', skipLines: 2, hasHeader: true },
  },
  { name: 'sparse rows of values', text: '1;;\n2;;\n3;a;b\n4;c;d\n', found: { skipLines: 0, hasHeader: false } },
  { name: 'sparse rows of texts', text: 'Ann;;\nBob;;\nCid;4;5\nDan;6;7\n', found: { skipLines: 0 } },
  { name: 'a sparse table', text: 'a;b;c\nx;;\ny;;\nz;;\n', found: { skipLines: 0, hasHeader: true } },
  { name: 'a sparse table below a title', text: 'T;;\na;b;c\nx;;\ny;;\nz;;\n', found: { skipLines: 0 } },
  {
    name: 'empty cells in quotes among numbers',
    text: '"a","b"\n"1","x"\n"2",""\n"","y"\n"4","z"\n',
    found: { hasHeader: true, nullTokens: [''] },
    because: { nullTokens: /"" is an empty text, which appears once where other cells have values\.$/ },
  },
  {
    name: 'a header row that lacks the first name',
    text: 'x,y\n1,2,3\n4,5,6\n',
    found: { skipLines: 0, hasHeader: true },
  },
  { name: 'values alone', text: '1,2\n3,4\n', found: { hasHeader: false } },
  { name: 'years as names', text: 'Country,2019,2020,2021\nA,1,2,3\nB,4,5,6\n', found: { hasHeader: true } },
  { name: 'texts alone', text: 'name,city\nAnna,Berlin\nBob,Paris\n', found: { hasHeader: true } },
  { name: 'texts alone that come again', text: 'x,Berlin\ny,Berlin\nz,Paris\n', found: { hasHeader: false } },
  { name: 'Namibia', text: 'code,name\nNA,Namibia\nDE,Germany\n', found: { nullTokens: [''] } },
  {
    name: 'what the person has chosen',
    text: 'a;b,c\n1;2,3\n4;5,6\n',
    given: {
      delimiter: ',',
      hasHeader: false,
      nullTokens: ['x'],
      quote: '',
      comment: '%',
      skipLines: 1,
      decimalComma: true,
    },
    found: {
      delimiter: ',',
      hasHeader: false,
      nullTokens: ['x'],
      quote: '',
      comment: '%',
      skipLines: 1,
      decimalComma: true,
    },
  },
  { name: 'a tab in a file of that name', text: 'a\tb,c\n1\t2,3\n', fileName: 'x.tsv', found: { delimiter: '\t' } },
];

describe('what is detected of delimited text', () => {
  for (const { name, text, fileName = 'x.txt', given, found, because = {} } of CASES) {
    it(name, () => {
      const { options, evidence } = csvFormat.detect({ fileName, bytes: encoder.encode(text), isWhole: true }, given);
      expect(options).toMatchObject(found);
      for (const [option, reason] of Object.entries(because))
        expect(evidence.find((one) => one.option === option)?.reason).toMatch(reason);
    });
  }
});

describe('encodings', () => {
  const wide = (text: string, isBigEndian: boolean, size: 2 | 4): Uint8Array => {
    const bytes = new Uint8Array(text.length * size);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < text.length; at++) {
      if (size === 2) view.setUint16(at * 2, text.charCodeAt(at), !isBigEndian);
      else view.setUint32(at * 4, text.charCodeAt(at), !isBigEndian);
    }
    return bytes;
  };
  const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const table = `name,city\n${'Jürgen Müller,Köln\nHélène Lefèvre,Besançon\nJosé Núñez,Málaga\n'.repeat(5)}`;
  const cases: readonly (readonly [string, Uint8Array, string, RegExp])[] = [
    ['a mark of UTF-8', encoder.encode(`\ufeff${table}`), 'utf-8', /byte order mark/],
    ['a mark of UTF-16', wide(`\ufeff${table}`, false, 2), 'utf-16le', /byte order mark/],
    ['a mark of UTF-16, big-endian', wide(`\ufeff${table}`, true, 2), 'utf-16be', /byte order mark/],
    ['a mark of UTF-32', wide(`\ufeff${table}`, false, 4), 'utf-32le', /byte order mark/],
    ['UTF-16', wide(table, false, 2), 'utf-16le', /^Every second byte is zero/],
    ['UTF-16, big-endian', wide(table, true, 2), 'utf-16be', /^Every first byte of two is zero/],
    ['UTF-32', wide(table, false, 4), 'utf-32le', /^Of four bytes, the last three are zero/],
    ['UTF-32, big-endian', wide(table, true, 4), 'utf-32be', /^Of four bytes, the first three are zero/],
    ['UTF-8', encoder.encode(table), 'utf-8', /^55 characters beyond ASCII in the file, all valid UTF-8\.$/],
    [
      'UTF-8 with one broken byte',
      latin1(`${String.fromCharCode(...encoder.encode(table))}\xe9\n`),
      'utf-8',
      /; 1 byte is not\.$/,
    ],
    [
      'Latin-1',
      latin1(table),
      'windows-1252',
      /not UTF-8 and look most like ISO-8859-1 \(\d+%\), which is read as windows-1252\.$/,
    ],
  ];
  for (const [name, bytes, encoding, reason] of cases) {
    it(name, () => {
      const { options, evidence } = csvFormat.detect({ fileName: 'x.csv', bytes, isWhole: true });
      expect(options).toMatchObject({ encoding, delimiter: ',', hasHeader: true });
      expect(evidence[0]).toMatchObject({ option: 'encoding', reason: expect.stringMatching(reason) as unknown });
    });
  }

  it('an encoding in which much of the file is no character is not chosen, and a guess is marked', () => {
    // 姓名,年龄 / 张三,30 / 李四,25 in GBK, of which a few bytes are Hebrew.
    const bytes = latin1('\xd0\xd5\xc3\xfb,\xc4\xea\xc1\xe4\n\xd5\xc5\xc8\xfd,30\n\xc0\xee\xcb\xc4,25\n');
    const { options, evidence } = csvFormat.detect({ fileName: 'x.csv', bytes, isWhole: true });
    expect(new TextDecoder(options.encoding).decode(bytes)).not.toContain('\ufffd');
    expect(evidence[0]).toMatchObject({ option: 'encoding', isUnexpected: true });
  });

  it('a character that the sample cuts off is no reason to doubt UTF-8', () => {
    const bytes = encoder.encode(`a,b\n${'ä,ö\n'.repeat(100)}€`);
    for (const cut of [1, 2]) {
      const sample = { fileName: 'x.csv', bytes: bytes.subarray(0, bytes.length - cut), isWhole: false };
      expect(csvFormat.detect(sample).options.encoding).toBe('utf-8');
    }
  });
});
