import { describe, expect, test } from 'vitest';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const DUMP = `USE [shop]
GO
/****** Object:  Table [dbo].[customer]    Script Date: 1/1/2024 ******/
SET ANSI_NULLS ON
GO
SET QUOTED_IDENTIFIER ON
GO
CREATE TABLE [dbo].[customer](
	[id] [int] IDENTITY(1,1) NOT NULL,
	[name] [nvarchar](50) NOT NULL,
	[note] [nvarchar](max) NULL,
	[is_on] [bit] NULL,
	[price] [decimal](10, 2) NULL,
	[long] [decimal](30, 10) NULL,
	[cash] [money] NULL,
	[made] [datetime] NULL,
	[data] [varbinary](max) NULL,
	[code] [uniqueidentifier] NULL,
	[twice]  AS ([id]*(2)),
	[half]  AS ([id]/(2)) PERSISTED,
	[joined]  AS ([name]+[note]),
 CONSTRAINT [PK_customer] PRIMARY KEY CLUSTERED
(
	[id] ASC
)WITH (PAD_INDEX = OFF, IGNORE_DUP_KEY = OFF) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
GO
CREATE TABLE [audit].[orders]([customer] [int] NULL, [no] [bigint] NOT NULL, [a b]]c] [nchar](3) NULL)
GO
SET IDENTITY_INSERT [dbo].[customer] ON
INSERT [dbo].[customer] ([id], [name], [note], [is_on], [price], [long], [cash], [made], [data], [code]) VALUES (1, N'O''Brien; é
GO on', N'C:\\new\\', 1, CAST(1.50 AS Decimal(10, 2)), CAST(12345678901234567890.5000000000 AS Decimal(30, 10)), 12.5000, CAST(N'2024-01-02T03:04:05.670' AS DateTime), 0x00FF41, N'6f9619ff-8b86-d011-b42d-00c04fc964ff')
INSERT [dbo].[customer] ([id], [name], [is_on], [price], [made], [data]) VALUES (7, N'seven', 0, -2, CAST(0x0000B0EB0032A5C4 AS DateTime), 0x), (8, 'eight', NULL, NULL, NULL, NULL)
SET IDENTITY_INSERT [dbo].[customer] OFF
GO
INSERT INTO dbo.customer VALUES ('nine', DEFAULT, 1, 0, 0, 0, NULL, NULL, NULL);
INSERT [audit].[orders] ([customer], [no], [a b]]c]) VALUES (1, 9223372036854775807, N'x')
INSERT [audit].[orders] ([customer], [no]) VALUES (1, 1 + 1)
INSERT [audit].[orders] ([customer], [no], [a b]]c]) VALUES (1, 4, N'a' + N'b')
GO
CREATE UNIQUE NONCLUSTERED INDEX [by_name] ON [dbo].[customer] ([name] ASC, [id] DESC) WITH (PAD_INDEX = OFF) ON [PRIMARY]
GO
ALTER TABLE [dbo].[customer] ADD  CONSTRAINT [DF_on]  DEFAULT ((1)) FOR [is_on]
GO
ALTER TABLE [dbo].[customer] ADD  DEFAULT (newid()) FOR [code]
GO
ALTER TABLE [audit].[orders]  WITH CHECK ADD  CONSTRAINT [FK] FOREIGN KEY([customer])
REFERENCES [dbo].[customer] ([id])
ON DELETE CASCADE
GO
ALTER TABLE [audit].[orders] CHECK CONSTRAINT [FK]
GO
ALTER TABLE [audit].[orders]  WITH CHECK ADD  CONSTRAINT [CK] CHECK  (([no]>(0)))
GO
CREATE VIEW [dbo].[names] AS SELECT c.[name] FROM [dbo].[customer] c;
GO
CREATE PROCEDURE [dbo].[p] AS
BEGIN
	INSERT INTO dbo.customer (name) VALUES ('never');
	UPDATE dbo.customer
	SET name = 'never'
END
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'x'
GO
UPDATE dbo.customer
SET note = N'changed'
WHERE id = 8
GO
`;

describe.each(PLACES)('scripts of SQL Server read by the %s engine', (_name, place) => {
  test.each([
    ['UTF-8', (text: string) => new TextEncoder().encode(text)],
    [
      'UTF-16 with CRLF',
      (text: string) => Uint8Array.from(Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le')),
    ],
  ])('in %s: tables, rows, keys, and indexes', async (_encoding, bytesOf) => {
    const { connection, contents } = await opened(place, bytesOf(DUMP));
    expect(contents.sql!.dialect).toBe('tsql');
    const lineOf = (start: string): number => DUMP.slice(0, DUMP.indexOf(start)).split('\n').length;
    expect(contents.sql!.statements.map(({ line, reason }) => [line, reason])).toEqual([
      [
        lineOf('INSERT [audit].[orders] ([customer], [no], [a b]]c]) VALUES (1, 4'),
        'One of its values is computed with the operator +, which may give another value in SQLite.',
      ],
      [lineOf('CREATE PROCEDURE'), 'It creates something that SQLite does not have.'],
    ]);
    expect(contents.objects.map(({ name, rows, indexes }) => [name, rows, indexes])).toEqual([
      ['customer', 4, 1],
      ['audit_orders', 2, 0],
      ['names', null, 0],
    ]);
    const rows = connection.all(
      'SELECT id, name, note, is_on, price, long, cash, made, hex(data), typeof(data), twice, half FROM customer',
    );
    const newline = String(rows[0]![1]).includes('\r') ? '\r\n' : '\n';
    expect(rows).toEqual([
      [
        ...[1, `O'Brien; é${newline}GO on`, 'C:\\new\\', 1, 1.5, '12345678901234567890.5000000000', '12.5000'],
        ...['2024-01-02T03:04:05.670', '00FF41', 'blob', 2, 0],
      ],
      [7, 'seven', null, 0, -2, null, null, '2024-01-02 03:04:24.120', '', 'blob', 14, 3],
      [8, 'eight', 'changed', null, null, null, null, null, '', 'null', 16, 4],
      [9, 'nine', null, 1, 0, '0', '0', null, '', 'null', 18, 4],
    ]);
    expect(connection.all('SELECT * FROM audit_orders')).toEqual([
      [1, 9223372036854775807n, 'x'],
      [1, 2, null],
    ]);
    connection.run("INSERT INTO customer (name) VALUES ('next')");
    expect(connection.one('SELECT max(id), is_on FROM customer')).toEqual([10, 1]);
    expect(connection.one('SELECT "table", on_delete FROM pragma_foreign_key_list(\'audit_orders\')')).toEqual([
      'customer',
      'CASCADE',
    ]);
    expect(() => connection.run('INSERT INTO audit_orders VALUES (1, 0, NULL)')).toThrow();
    expect(connection.one('SELECT count(*) FROM names')).toEqual([5]);
    expect(contents.notes.join()).toContain('newid');
    expect(contents.notes.join()).toContain('“customer.joined” was left out');
    expect(connection.one('SELECT * FROM customer')).toHaveLength(12);
  });

  test('moments that are written as bytes are texts, and other bytes are listed', async () => {
    const dump = `CREATE TABLE [dbo].[t]([a] [datetime2](7) NULL, [b] [date] NULL)
GO
INSERT [dbo].[t] ([a], [b]) VALUES (CAST(0x0700D85EAC3A9B3E0B AS DateTime2), CAST(0x38320B00 AS Date))
INSERT [dbo].[t] ([a], [b]) VALUES (CAST(0x0700D85EAC3A9B3E AS DateTime2), NULL)
GO
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([4]);
    expect(connection.all('SELECT a, b FROM t')).toEqual([['2018-08-18 07:00:00.0000000', '2009-12-12']]);
  });

  test('what the server fills in may be NULL, because scripts leave it out', async () => {
    const dump = `CREATE TABLE [dbo].[t]([a] [int] NOT NULL, [v] [timestamp] NOT NULL, [from] [datetime2](7) GENERATED ALWAYS AS ROW START NOT NULL,
 [to] [datetime2](7) GENERATED ALWAYS AS ROW END HIDDEN NOT NULL, PERIOD FOR SYSTEM_TIME ([from], [to]), INDEX [i] NONCLUSTERED ([a]))
GO
INSERT [dbo].[t] ([a]) VALUES (1)
GO
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT * FROM t')).toEqual([[1, null, null, null]]);
    expect(contents.notes.join()).toContain('The column “v”, which SQL Server fills in, may be NULL here');
    expect(contents.notes.join()).toContain('The index “i” within the definition of “t” was left out.');
    expect(() => connection.run('INSERT INTO t (a) VALUES (NULL)')).toThrow();
  });

  test('several databases do not fill each other’s tables', async () => {
    const table = (value: number) => `CREATE TABLE [dbo].[t]([a] [int] NOT NULL)
GO
CREATE TABLE [dbo].[c]([a] [int] NULL)
GO
INSERT [dbo].[t] ([a]) VALUES (${value})
INSERT INTO c VALUES (${value})
GO
ALTER TABLE [dbo].[t] ADD CONSTRAINT [pk] PRIMARY KEY CLUSTERED ([a] ASC)
GO
ALTER TABLE [dbo].[c] WITH CHECK ADD CONSTRAINT [fk] FOREIGN KEY([a]) REFERENCES [dbo].[t] ([a])
GO
CREATE VIEW [dbo].[v] AS SELECT a FROM [dbo].[t]
GO
`;
    const dump = `USE [master]\nGO\nCREATE DATABASE [one]\nGO\nUSE [one]\nGO\n${table(1)}USE [two]\nGO\n${table(2)}INSERT INTO one.dbo.t VALUES (3)\nINSERT INTO two..t VALUES (4)\nGO\n`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(contents.objects.map(({ name, rows }) => [name, rows])).toEqual([
      ['t', 2],
      ['c', 1],
      ['two_t', 2],
      ['two_c', 1],
      ['v', null],
      ['two_v', null],
    ]);
    expect(connection.all('SELECT a FROM v')).toEqual([[1], [3]]);
    expect(connection.all('SELECT a FROM two_v')).toEqual([[2], [4]]);
    expect(connection.one('SELECT "table" FROM pragma_foreign_key_list(\'two_c\')')).toEqual(['two_t']);
    expect(contents.notes).toContain('The file holds several databases: names of tables of “two” begin with “two_”.');
  });
});
