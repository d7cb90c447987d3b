// hyparquet believes what a page says of itself: how many values it has, and how often one repeats. A file of a few bytes could so take
// all memory there is. It also believes that all keys and values of a file are text, and refuses files whose are not.
import type { Plugin } from 'vite';

/** The same as in `worker/import/parquet/column-pages.ts`, which reads the pages of flat columns. */
const MOST_VALUES = 1 << 24;

type Change = readonly [found: string, put: string];

/** By file: text to find, and its replacement. A release that words it differently must fail the build. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  encoding: [
    [
      'const count = header >>> 1\n',
      `const claimed = header >>> 1
      if (claimed > output.length) throw new Error(\`a run claims \${claimed} values in a page of \${output.length}\`)
      const count = Math.min(claimed, output.length - seen)\n`,
    ],
    // Bits come in groups of eight values; some writers leave out those of the last group that mean none.
    ['while (count) {\n', 'while (count && seen < output.length) {\n'],
  ],
  column: [
    [
      'const { type, element, schemaPath, codec, compressors } = columnDecoder\n',
      `const { type, element, schemaPath, codec, compressors } = columnDecoder
  const page = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header
  if (page?.num_values > ${MOST_VALUES}) throw new Error(\`a page claims \${page.num_values} values\`)\n`,
    ],
  ],
  // What is to be text may be of another type in keys and values that only their writer needs.
  metadata: [
    [
      'return value && decoder.decode(value)\n',
      'return value instanceof Uint8Array ? decoder.decode(value) : undefined\n',
    ],
  ],
};

export function withBoundedParquet(): Plugin {
  return {
    name: 'sidelite:bounded-parquet',
    enforce: 'pre',
    transform: {
      filter: { id: /\/hyparquet\/src\/(?:encoding|column|metadata)\.js/ },
      handler(code, id) {
        let changed = code;
        for (const [found, put] of CHANGES[/(\w+)\.js/.exec(id.slice(id.lastIndexOf('/')))![1]!]!) {
          if (!changed.includes(found)) this.error(`hyparquet no longer contains ${found}`);
          changed = changed.replace(found, put);
        }
        return { code: changed, map: null };
      },
    },
  };
}
