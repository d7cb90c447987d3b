// How a name is written in SQL that people read.

/** Only where needed: plain names read better. */
export function quoteName(name: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name.toUpperCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

// Those of sqlite.org/lang_keywords.html that can not stand for a name unquoted.
const KEYWORDS = new Set(
  (
    'ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE DISTINCT DROP ELSE ' +
    'ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IF IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON OR ' +
    'ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE'
  ).split(' '),
);
