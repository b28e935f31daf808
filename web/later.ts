// SPDX-License-Identifier: MIT
// later.ts - what the page loads only when it is needed, as a file of its own:
// the menu Export with its pictures, and the tabs Details, Findings and Marks. The
// file has copies of the modules that both parts use, so their classes differ from
// those of the page.

export { exportMenu } from './export';
export { Details } from './tabs/details';
export { Findings } from './tabs/findings';
export { Marks } from './tabs/marks';
