import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { visibleText } from '#shared/visible-text.ts';
import { escapeXml } from '../../../workbench/pictures/svg-text.ts';
import { buildGraph } from '../graph.ts';
import { anyDiagram, anyName, graphOf, measure, relation, table, WHOLE } from '../made-graph.test-suite.ts';
import { inRows, place } from '../placement.ts';
import { shownName } from '../scene.ts';
import { diagramMermaid } from './mermaid.ts';
import { diagramSvg } from './svg.ts';

const ELEMENTS = new Set(['svg', 'title', 'rect', 'path', 'g', 'text']);

/** All of its content; throws if it is not XML. */
function read(svg: string) {
  const texts: string[] = [];
  const elements: string[] = [];
  const attributes: string[] = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes: own }) => {
    elements.push(name);
    attributes.push(...Object.keys(own).map((key) => `${key}=${String(own[key])}`));
  });
  parser.on('text', (text) => void texts.push(text));
  parser.write(svg).close();
  return { texts, elements, attributes };
}

test('whatever the names: the SVG is XML, holds nothing but shapes and texts, and nothing that refers or runs', () => {
  fc.assert(
    fc.property(anyDiagram, anyName, (diagram, title) => {
      const graph = buildGraph(diagram, WHOLE, measure);
      const svg = diagramSvg(place(graph, inRows(graph.nodes), {}), title, () => '#123456', measure);
      const { texts, elements, attributes } = read(svg);
      expect(elements.filter((name) => !ELEMENTS.has(name))).toEqual([]);
      expect(attributes.filter((each) => /^(on|style|href|xlink)|javascript|url\(/i.test(each))).toEqual([]);
      expect(elements.filter((name) => name === 'g')).toHaveLength(graph.nodes.length);
      for (const { name } of graph.nodes) {
        const shown = visibleText(shownName(name)).replace(/[\ufffe\uffff]/g, '\ufffd');
        if (shown.length <= 12) expect(texts).toContain(shown);
      }
    }),
    { numRuns: seedCount(300), seed: 14 },
  );
});

test('what XML cannot hold is replaced, everything else is as it was', () => {
  expect(escapeXml(`<a b="c">&'`)).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#39;');
  expect(escapeXml('a\ud800\uffff\0b😀')).toBe('a\ufffd\ufffd\ufffdb😀');
});

// The same rules as in Mermaid's own grammar (erDiagram.jison).
const ID = String.raw`t\d+`;
const QUOTED = String.raw`"[^"%\r\n\v\x08\\]+"`;
const WORD = String.raw`[A-Za-z_\u00C0-\uFFFF][A-Za-z0-9\-_[\]()\u00C0-\uFFFF*]*`;
const LINES = [
  /^erDiagram$/,
  new RegExp(String.raw`^    ${ID}\[${QUOTED}\] \{$`),
  new RegExp(String.raw`^        ${WORD} ${WORD}( (PK|FK|PK, FK))?( "[^"]*")?$`),
  /^ {4}\}$/,
  new RegExp(String.raw`^    ${ID} \|[|o](--|\.\.)o[|{] ${ID} : ${QUOTED}$`),
  /^$/,
];

test('whatever the names: each line of the Mermaid text is one of its grammar, and no markup is in it', () => {
  fc.assert(
    fc.property(anyDiagram, (diagram) => {
      const text = diagramMermaid(buildGraph(diagram, WHOLE, measure));
      expect(text.split('\n').filter((line) => !LINES.some((form) => form.test(line)))).toEqual([]);
      expect(text).not.toMatch(/[<>]/);
    }),
    { numRuns: seedCount(500), seed: 14 },
  );
});

test('keys, cardinality and likely keys in Mermaid', () => {
  const orders = table('order', ['id', 'customer_id', 'two words']);
  const graph = graphOf(
    [table('customer'), orders],
    [
      relation('order', 'customer', { optional: true }),
      relation('order', 'customer', { origin: 'likely', single: true, columns: ['two words'] }),
    ],
  );
  expect(diagramMermaid(graph)).toBe(`erDiagram
    t1["customer"] {
        INTEGER id PK "not null"
    }
    t2["order"] {
        INTEGER id PK "not null"
        INTEGER customer_id FK
        INTEGER two_words FK "two words"
    }
    t1 |o--o{ t2 : "customer_id"
    t1 ||..o| t2 : "two words"
`);
});
