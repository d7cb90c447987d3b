// Makes small PDF files: harmless ones, and one that tries everything a PDF can do (ISO 32000-1, 12.6 Actions).

/** One page for each text. */
export function makePdf(pages: readonly string[], { catalog = '', page = '', padding = 0 } = {}): Buffer {
  const contents = (text: string): string => `BT /F1 24 Tf 40 200 Td (${text}) Tj ET${' '.repeat(padding)}`;
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((text, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents ${5 + 2 * index} 0 R/Resources<</Font<</F1 3 0 R>>>>${page}>>`,
      `<</Length ${contents(text).length}>>stream\n${contents(text)}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** When it opens it runs JavaScript that reaches for `server`. Its whole page is a link there. */
export function hostilePdf(server: string): Buffer {
  const script = [
    `this.getURL('${server}/get', false)`,
    `app.launchURL('${server}/launch', true)`,
    `this.submitForm('${server}/submit')`,
    `this.mailForm(false, 'a@example.com')`,
    `SOAP.request({ cURL: '${server}/soap', oRequest: {} })`,
    `this.saveAs('/planted.pdf')`,
    `app.openDoc('/etc/passwd')`,
  ]
    .map((attempt) => `try { ${attempt} } catch (_) {}`)
    .join(' ')
    .replaceAll(/[()]/g, String.raw`\$&`);
  return makePdf(['Hostile'], {
    catalog: `/OpenAction<</S/JavaScript/JS(${script})/Next[<</S/URI/URI(${server}/open)>><</S/Launch/F(/bin/sh)>><</S/GoToR/F(/etc/passwd)/D[0]>>]>>`,
    page: `/AA<</O<</S/URI/URI(${server}/page)>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 400 300]/A<</S/URI/URI(${server}/link)>>>>]`,
  });
}
