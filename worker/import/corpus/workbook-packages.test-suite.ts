// For tests: the Python packages that write and read workbooks, as judges.
import type { PypiPackages } from '../../../build/pypi-packages.ts';

export const WORKBOOKS: PypiPackages = {
  name: 'workbooks-1',
  wheels: {
    'openpyxl==3.1.5': '5282c12b107bffeef825f4617dc029afaf41d0ea60823bbb665ef3079dc79de2',
    'et-xmlfile==2.0.0': '7a91720bc756843502c3b7504c77b8fe44217c85c537d85037f0f536151b2caa',
    'xlsxwriter==3.2.9': '9a5db42bc5dff014806c58a20b9eae7322a134abb6fce3c92c181bfb275ec5b3',
  },
};
