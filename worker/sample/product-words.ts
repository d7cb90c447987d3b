// Products of the sample's shop, and the words its customers review it with.

export interface Shelf {
  readonly category: string;
  readonly types: readonly string[];
  readonly priceFrom: number;
  readonly priceTo: number;
  readonly weightFrom: number;
  readonly weightTo: number;
}

/** Departments with their shelves: the two levels of the category table. */
export const DEPARTMENTS: Readonly<Record<string, readonly Shelf[]>> = {
  Sleeping: [
    {
      category: 'Tents',
      types: ['Tent', 'Tarp', 'Bivy'],
      priceFrom: 79,
      priceTo: 899,
      weightFrom: 450,
      weightTo: 4200,
    },
    {
      category: 'Sleeping bags',
      types: ['Down Bag', 'Quilt', 'Summer Bag'],
      priceFrom: 59,
      priceTo: 649,
      weightFrom: 380,
      weightTo: 1900,
    },
    { category: 'Mats', types: ['Air Mat', 'Foam Mat'], priceFrom: 19, priceTo: 239, weightFrom: 240, weightTo: 1100 },
    {
      category: 'Hammocks',
      types: ['Hammock', 'Underquilt'],
      priceFrom: 35,
      priceTo: 329,
      weightFrom: 290,
      weightTo: 1400,
    },
  ],
  Carrying: [
    {
      category: 'Backpacks',
      types: ['Backpack', 'Daypack', 'Frame Pack'],
      priceFrom: 39,
      priceTo: 429,
      weightFrom: 320,
      weightTo: 2600,
    },
    {
      category: 'Bike bags',
      types: ['Pannier', 'Frame Bag', 'Bar Roll'],
      priceFrom: 29,
      priceTo: 189,
      weightFrom: 140,
      weightTo: 1600,
    },
    { category: 'Dry bags', types: ['Dry Bag', 'Duffel'], priceFrom: 9, priceTo: 159, weightFrom: 60, weightTo: 1300 },
  ],
  Kitchen: [
    {
      category: 'Stoves',
      types: ['Gas Stove', 'Spirit Stove', 'Wood Stove'],
      priceFrom: 25,
      priceTo: 219,
      weightFrom: 70,
      weightTo: 900,
    },
    {
      category: 'Cookware',
      types: ['Pot', 'Pan', 'Mug', 'Kettle'],
      priceFrom: 12,
      priceTo: 99,
      weightFrom: 80,
      weightTo: 620,
    },
    {
      category: 'Water',
      types: ['Filter', 'Bottle', 'Bladder'],
      priceFrom: 8,
      priceTo: 149,
      weightFrom: 60,
      weightTo: 420,
    },
  ],
  Clothing: [
    {
      category: 'Shells',
      types: ['Rain Jacket', 'Wind Jacket', 'Rain Trousers'],
      priceFrom: 69,
      priceTo: 549,
      weightFrom: 110,
      weightTo: 640,
    },
    {
      category: 'Insulation',
      types: ['Down Jacket', 'Fleece', 'Vest'],
      priceFrom: 49,
      priceTo: 449,
      weightFrom: 180,
      weightTo: 720,
    },
    {
      category: 'Base layers',
      types: ['Merino Shirt', 'Leggings', 'Socks'],
      priceFrom: 14,
      priceTo: 129,
      weightFrom: 50,
      weightTo: 290,
    },
    {
      category: 'Headwear',
      types: ['Beanie', 'Cap', 'Buff'],
      priceFrom: 12,
      priceTo: 59,
      weightFrom: 30,
      weightTo: 120,
    },
  ],
  Footwear: [
    {
      category: 'Boots',
      types: ['Hiking Boot', 'Mountain Boot'],
      priceFrom: 119,
      priceTo: 479,
      weightFrom: 900,
      weightTo: 2100,
    },
    {
      category: 'Trail shoes',
      types: ['Trail Runner', 'Approach Shoe'],
      priceFrom: 79,
      priceTo: 229,
      weightFrom: 420,
      weightTo: 980,
    },
  ],
  Technical: [
    {
      category: 'Climbing',
      types: ['Harness', 'Carabiner', 'Sling', 'Rope'],
      priceFrom: 9,
      priceTo: 259,
      weightFrom: 30,
      weightTo: 3900,
    },
    {
      category: 'Navigation',
      types: ['Compass', 'Map Case', 'Altimeter'],
      priceFrom: 15,
      priceTo: 389,
      weightFrom: 20,
      weightTo: 260,
    },
    { category: 'Light', types: ['Head Lamp', 'Lantern'], priceFrom: 19, priceTo: 169, weightFrom: 40, weightTo: 380 },
    {
      category: 'Snow',
      types: ['Snowshoe', 'Ice Axe', 'Probe'],
      priceFrom: 49,
      priceTo: 339,
      weightFrom: 250,
      weightTo: 2300,
    },
  ],
};

export const SERIES = [
  'Fjell',
  'Sarek',
  'Älv',
  'Tundra',
  'Kestrel',
  'Birch',
  'Granit',
  'Montane',
  'Łan',
  'Nordwand',
  'Skog',
  'Wren',
  'Cairn',
  'Halde',
  'Ötzi',
  'Pika',
  'Rowan',
  'Serac',
  'Taiga',
  'Vega',
] as const;
export const COLORS = ['moss', 'slate', 'ember', 'night', 'sand', 'ice', 'rust', 'fern'] as const;
export const MATERIALS = [
  'ripstop nylon',
  'recycled polyester',
  'merino wool',
  'titanium',
  'aluminium',
  'waxed cotton',
  'goose down',
  'rubber',
] as const;
export const SUPPLIER_WORDS = [
  'Alpen',
  'Baltic',
  'Cascade',
  'Fjord',
  'Hoch',
  'Karst',
  'Lumen',
  'Nord',
  'Pinie',
  'Tatra',
] as const;
export const SUPPLIER_KINDS = ['Works', 'Textil GmbH', 'Équipement SA', 'Gear AB', 'Outfitters Ltd', '製作所'] as const;
export const WAREHOUSES = ['Kassel', 'Gdańsk', 'Lyon', 'Trondheim', 'Carlisle', '長野'] as const;

export const REVIEW_OPENINGS = [
  'Took it to',
  'Used it for a week in',
  'Bought it for',
  'Two seasons in',
  'First trip to',
  'Tested it above',
] as const;
export const REVIEW_PLACES = [
  'the Dolomites',
  'Sarek',
  'Snowdonia',
  'the Tatra',
  'Hokkaidō',
  'the Vosges',
  'Lofoten',
  'the Harz',
  'Corsica',
  'Jämtland',
] as const;
export const REVIEW_VERDICTS: readonly (readonly string[])[] = [
  ['the seam tore on the second day', 'it leaked in the first rain', 'the zip broke'],
  ['heavier than promised', 'sizes run small', 'the color faded'],
  ['does what it should', 'good value, plain finish', 'fine for summer'],
  ['light and warm', 'well made and easy to pack', 'dry through three days of rain'],
  ['would buy it again at once', 'the best I have owned', 'perfect fit, no weak point found'],
];
