// Queries that people ask of a shop's database: some seventy over Chinook, every one with a total order, so that an answer is one answer.

/** Added to a copy of Chinook: full text, places, JSON and a view, which it has none of. */
export const CHINOOK_ADDITIONS = `
  CREATE VIRTUAL TABLE TrackSearch USING fts5(Name, Composer, tokenize = 'unicode61 remove_diacritics 2');
  INSERT INTO TrackSearch (rowid, Name, Composer) SELECT TrackId, Name, Composer FROM Track;
  CREATE VIRTUAL TABLE Playtime USING rtree(TrackId, MinMs, MaxMs);
  INSERT INTO Playtime SELECT TrackId, Milliseconds - 1000, Milliseconds + 1000 FROM Track;
  CREATE TABLE Profile (CustomerId INTEGER PRIMARY KEY, Doc TEXT);
  INSERT INTO Profile SELECT CustomerId, json_object('name', FirstName || ' ' || LastName, 'tags', json_array(Country, State, SupportRepId),
    'address', json_object('city', City, 'zip', PostalCode)) FROM Customer;
  CREATE VIEW Sale AS SELECT i.InvoiceId, i.InvoiceDate, i.CustomerId, l.TrackId, l.UnitPrice * l.Quantity AS Amount
    FROM Invoice i JOIN InvoiceLine l USING (InvoiceId);
`;

const BROWSING = [
  'SELECT * FROM Album ORDER BY AlbumId',
  'SELECT * FROM Artist ORDER BY Name COLLATE NOCASE, ArtistId',
  'SELECT * FROM Customer ORDER BY LastName, CustomerId LIMIT 20 OFFSET 10',
  'SELECT * FROM Employee ORDER BY EmployeeId',
  'SELECT * FROM Invoice ORDER BY Total DESC, InvoiceId',
  'SELECT rowid, * FROM Genre ORDER BY rowid DESC',
  'SELECT * FROM MediaType ORDER BY 1',
  'SELECT * FROM PlaylistTrack ORDER BY PlaylistId, TrackId',
  'SELECT * FROM Track ORDER BY TrackId',
  'SELECT * FROM Sale ORDER BY InvoiceId, TrackId, Amount',
  "SELECT name, type, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
  'SELECT m.name, c.cid, c.name, c.type, c."notnull", c.dflt_value, c.pk FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = \'table\' ORDER BY 1, 2',
  'SELECT DISTINCT Country FROM Customer ORDER BY Country',
  'SELECT DISTINCT BillingCountry, BillingState FROM Invoice ORDER BY 1, 2',
];

const FILTERS = [
  "SELECT TrackId, Name FROM Track WHERE Name LIKE '%love%' ORDER BY TrackId",
  "SELECT TrackId, Name FROM Track WHERE Name GLOB '*[0-9]*' ORDER BY Name, TrackId",
  "SELECT TrackId, Name FROM Track WHERE Name LIKE '%!%%' ESCAPE '!' ORDER BY TrackId",
  "SELECT Name FROM Artist WHERE Name LIKE 'Antônio%' OR Name LIKE '%É%' ORDER BY ArtistId",
  'SELECT TrackId, Composer FROM Track WHERE Composer IS NULL AND GenreId IN (1, 2, 3) ORDER BY TrackId',
  "SELECT CustomerId, Company FROM Customer WHERE Company IS NOT NULL AND Country IN ('Brazil', 'USA') ORDER BY Company, CustomerId",
  'SELECT TrackId FROM Track WHERE Milliseconds BETWEEN 200000 AND 210000 AND UnitPrice < 1 ORDER BY Bytes DESC, TrackId',
  "SELECT FirstName, LastName FROM Customer WHERE Email LIKE '%@gmail.com' ORDER BY LastName COLLATE NOCASE DESC, CustomerId",
  "SELECT InvoiceId, Total FROM Invoice WHERE InvoiceDate >= '2022-01-01' AND InvoiceDate < '2023-01-01' ORDER BY InvoiceDate, InvoiceId",
  'SELECT Name, upper(Name), lower(Name), length(Name), octet_length(Name), hex(substr(Name, -3)), unicode(Name) FROM Artist ORDER BY ArtistId',
];

const JOINS = [
  'SELECT ar.Name, al.Title FROM Artist ar JOIN Album al USING (ArtistId) ORDER BY ar.Name, al.Title, al.AlbumId',
  'SELECT ar.ArtistId, ar.Name FROM Artist ar LEFT JOIN Album al ON al.ArtistId = ar.ArtistId WHERE al.AlbumId IS NULL ORDER BY 1',
  `SELECT t.Name, al.Title, ar.Name, g.Name, m.Name FROM Track t JOIN Album al USING (AlbumId) JOIN Artist ar USING (ArtistId)
     JOIN Genre g ON g.GenreId = t.GenreId JOIN MediaType m ON m.MediaTypeId = t.MediaTypeId ORDER BY t.TrackId`,
  'SELECT e.LastName, b.LastName AS boss FROM Employee e LEFT JOIN Employee b ON b.EmployeeId = e.ReportsTo ORDER BY e.EmployeeId',
  'SELECT g.Name, p.Name FROM Genre g CROSS JOIN Playlist p ORDER BY g.GenreId, p.PlaylistId',
  'SELECT c.CustomerId, e.EmployeeId FROM Customer c FULL JOIN Employee e ON e.EmployeeId = c.SupportRepId ORDER BY 2, 1',
  'SELECT e.EmployeeId, c.CustomerId FROM Customer c RIGHT JOIN Employee e ON e.EmployeeId = c.SupportRepId AND e.City = c.City ORDER BY 1, 2',
  'SELECT * FROM Album NATURAL JOIN Artist ORDER BY AlbumId LIMIT 50',
  `SELECT a.TrackId, b.TrackId FROM Track a JOIN Track b ON a.AlbumId = b.AlbumId AND a.TrackId < b.TrackId AND a.GenreId <> b.GenreId
     ORDER BY 1, 2`,
];

const GROUPS = [
  'SELECT Country, count(*), count(Company), count(DISTINCT City) FROM Customer GROUP BY Country ORDER BY 2 DESC, 1',
  'SELECT g.Name, count(*), sum(t.Milliseconds), avg(t.Bytes), min(t.Name), max(t.Name) FROM Track t JOIN Genre g USING (GenreId) GROUP BY g.GenreId ORDER BY 1',
  'SELECT BillingCountry, sum(Total), total(Total), avg(Total) FROM Invoice GROUP BY 1 HAVING sum(Total) > 40 ORDER BY 2 DESC, 1',
  "SELECT AlbumId, group_concat(Name, ' / ' ORDER BY TrackId) FROM Track GROUP BY AlbumId ORDER BY AlbumId",
  "SELECT strftime('%Y-%m', InvoiceDate) AS month, count(*), round(sum(Total), 2) FROM Invoice GROUP BY month ORDER BY month",
  'SELECT count(*) FILTER (WHERE Total > 10), sum(Total) FILTER (WHERE BillingState IS NULL), group_concat(DISTINCT BillingCountry) FROM (SELECT * FROM Invoice ORDER BY InvoiceId)',
  'SELECT Quantity, UnitPrice, count(*) FROM InvoiceLine GROUP BY Quantity, UnitPrice ORDER BY 1, 2',
  'SELECT median(Milliseconds), percentile_cont(Bytes, 0.9), percentile_disc(UnitPrice, 0.5) FROM Track',
  'SELECT max(Milliseconds), Name, TrackId FROM Track',
];

const WINDOWS = [
  'SELECT InvoiceId, Total, sum(Total) OVER (ORDER BY InvoiceDate, InvoiceId) FROM Invoice ORDER BY InvoiceId',
  'SELECT TrackId, rank() OVER w, dense_rank() OVER w, row_number() OVER (w ROWS UNBOUNDED PRECEDING) FROM Track WINDOW w AS (PARTITION BY AlbumId ORDER BY Milliseconds DESC) ORDER BY TrackId',
  'SELECT CustomerId, InvoiceId, lag(Total, 1, 0) OVER w, lead(InvoiceDate) OVER w, first_value(Total) OVER w FROM Invoice WINDOW w AS (PARTITION BY CustomerId ORDER BY InvoiceId) ORDER BY 1, 2',
  'SELECT TrackId, ntile(7) OVER (ORDER BY TrackId), percent_rank() OVER (ORDER BY Bytes), cume_dist() OVER (ORDER BY Bytes) FROM Track ORDER BY TrackId',
  'SELECT InvoiceId, avg(Total) OVER (ORDER BY InvoiceId ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW) FROM Invoice ORDER BY 1',
  'SELECT TrackId, count(*) OVER (ORDER BY Milliseconds RANGE BETWEEN 1000 PRECEDING AND 1000 FOLLOWING) FROM Track ORDER BY 1',
  'SELECT * FROM (SELECT GenreId, Name, row_number() OVER (PARTITION BY GenreId ORDER BY Milliseconds DESC, TrackId) AS place FROM Track) WHERE place <= 3 ORDER BY GenreId, place',
  'SELECT BillingCountry, sum(Total), sum(sum(Total)) OVER (ORDER BY sum(Total), BillingCountry GROUPS 1 PRECEDING) FROM Invoice GROUP BY 1 ORDER BY 1',
];

const COMMON_TABLES = [
  `WITH RECURSIVE chain(id, name, depth, path) AS (SELECT EmployeeId, LastName, 0, LastName FROM Employee WHERE ReportsTo IS NULL
     UNION ALL SELECT e.EmployeeId, e.LastName, depth + 1, path || ' > ' || e.LastName FROM Employee e JOIN chain ON e.ReportsTo = chain.id)
     SELECT * FROM chain ORDER BY path`,
  "WITH RECURSIVE day(d) AS (SELECT '2021-01-01' UNION ALL SELECT date(d, '+1 day') FROM day WHERE d < '2021-03-31') SELECT d, count(InvoiceId), coalesce(sum(Total), 0) FROM day LEFT JOIN Invoice ON date(InvoiceDate) = d GROUP BY d ORDER BY d",
  'WITH best AS MATERIALIZED (SELECT CustomerId, sum(Total) AS t FROM Invoice GROUP BY 1), mean AS NOT MATERIALIZED (SELECT avg(t) AS m FROM best) SELECT CustomerId, t FROM best, mean WHERE t > m ORDER BY t DESC, 1',
  'WITH RECURSIVE n(i, f, g) AS (VALUES (1, 0, 1) UNION ALL SELECT i + 1, g, f + g FROM n WHERE i < 90) SELECT * FROM n',
];

const SUBQUERIES = [
  'SELECT Name FROM Artist a WHERE EXISTS (SELECT 1 FROM Album WHERE ArtistId = a.ArtistId AND Title LIKE a.Name) ORDER BY ArtistId',
  'SELECT TrackId FROM Track WHERE TrackId NOT IN (SELECT TrackId FROM InvoiceLine) ORDER BY TrackId',
  'SELECT CustomerId, (SELECT max(Total) FROM Invoice i WHERE i.CustomerId = c.CustomerId), (SELECT count(*) FROM Sale s WHERE s.CustomerId = c.CustomerId) FROM Customer c ORDER BY 1',
  'SELECT Name, Milliseconds FROM Track t WHERE Milliseconds > 3 * (SELECT avg(Milliseconds) FROM Track WHERE GenreId = t.GenreId) ORDER BY TrackId',
  'SELECT TrackId FROM Track WHERE (GenreId, MediaTypeId) IN (SELECT GenreId, MediaTypeId FROM Track GROUP BY 1, 2 HAVING count(*) < 10) ORDER BY 1',
];

const COMPOUNDS = [
  "SELECT City, 'customer' FROM Customer UNION SELECT City, 'employee' FROM Employee ORDER BY 1, 2",
  'SELECT TrackId FROM Track EXCEPT SELECT TrackId FROM InvoiceLine ORDER BY 1',
  'SELECT City FROM Customer INTERSECT SELECT BillingCity FROM Invoice WHERE Total > 12 ORDER BY 1',
  'SELECT Country FROM Customer UNION ALL SELECT BillingCountry FROM Invoice ORDER BY 1 LIMIT 100',
];

const DOCUMENTS = [
  "SELECT CustomerId, Doc ->> '$.name', Doc -> '$.address', Doc ->> '$.tags[0]', json_type(Doc, '$.tags[1]') FROM Profile ORDER BY 1",
  'SELECT CustomerId, t.key, t.value, t.type, t.atom, t.fullkey FROM Profile, json_tree(Doc) t ORDER BY 1, t.id',
  'SELECT json_group_array(Name ORDER BY GenreId), json_group_object(GenreId, Name) FROM (SELECT * FROM Genre ORDER BY GenreId)',
  "SELECT CustomerId, json_set(Doc, '$.seen', json('true'), '$.address.city', NULL), json_patch(Doc, '{\"tags\":null}'), hex(jsonb(Doc)) FROM Profile ORDER BY 1",
  "SELECT rowid, highlight(TrackSearch, 0, '[', ']'), round(bm25(TrackSearch), 6) FROM TrackSearch WHERE TrackSearch MATCH 'love OR rock' ORDER BY rowid",
  "SELECT rowid, snippet(TrackSearch, -1, '<', '>', '…', 5) FROM TrackSearch WHERE TrackSearch MATCH 'composer:jobim NOT name:s*' ORDER BY rowid",
  "SELECT rowid FROM TrackSearch('NEAR(the heart, 3)') ORDER BY rank, rowid",
  'SELECT TrackId, MinMs, MaxMs FROM Playtime WHERE MinMs >= 300000 AND MaxMs <= 310000 ORDER BY TrackId',
];

const VALUES = [
  "SELECT InvoiceId, date(InvoiceDate, 'start of month', '+1 month', '-1 day'), julianday(InvoiceDate), unixepoch(InvoiceDate), strftime('%j %W %w %u %G-W%V', InvoiceDate) FROM Invoice ORDER BY 1",
  "SELECT EmployeeId, timediff(HireDate, BirthDate), date(BirthDate, '+40 years', 'weekday 1'), time(HireDate, '+90 minutes') FROM Employee ORDER BY 1",
  'SELECT TrackId, CAST(UnitPrice AS TEXT), CAST(Name AS INTEGER), CAST(Milliseconds AS REAL) / 1000, Bytes * 1.0 / Milliseconds, Bytes % 1000, Bytes / 1000, ~Bytes, Bytes << 3 FROM Track ORDER BY 1',
  "SELECT TrackId, format('%05d|%-20s|%8.3f|%,d|%q', TrackId, Name, UnitPrice, Bytes, Name), quote(Composer) FROM Track ORDER BY 1",
  "SELECT CustomerId, CASE WHEN Country = 'USA' THEN State WHEN Company IS NULL THEN 'private' ELSE Company END, iif(State IS NULL, 0, 1), coalesce(Fax, Phone, ''), nullif(Country, 'Canada') FROM Customer ORDER BY 1",
  "SELECT CustomerId, replace(Phone, ' ', ''), trim(Address, '0123456789, '), instr(Email, '@'), substr(Email, instr(Email, '@') + 1), concat_ws(', ', City, State, Country) FROM Customer ORDER BY 1",
];

export const CHINOOK_QUERIES: readonly string[] = [
  ...BROWSING,
  ...FILTERS,
  ...JOINS,
  ...GROUPS,
  ...WINDOWS,
  ...COMMON_TABLES,
  ...SUBQUERIES,
  ...COMPOUNDS,
  ...DOCUMENTS,
  ...VALUES,
];
