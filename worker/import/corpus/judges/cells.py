# What a judge says of a cell, for judged.test-suite.ts: null, or a kind and its text.
import decimal, json, math, os, re

FILES = []


def cell(value):
    if value is None:
        return None
    if isinstance(value, bool):
        return ['boolean', 'true' if value else 'false']
    if isinstance(value, int):
        return ['number', str(value)]
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            return ['text', 'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity']
        return ['number', repr(value)]
    if isinstance(value, decimal.Decimal):
        return ['number', format(value, 'f')]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return ['bytes', bytes(value).hex()]
    return ['text', str(value)]


def path_of(folder, name, ending):
    return f'{folder}/{len(FILES)}-{re.sub("[^a-z0-9]+", "-", name.lower())}.{ending}'


def add(name, path, columns, rows):
    """`columns` is None where names are made up."""
    FILES.append({'name': name, 'file': os.path.basename(path), 'columns': columns, 'rows': rows})


def say():
    print(json.dumps(FILES))
