/** Where a folder or file that the user named is mounted beside the orrery's own project. */
export const INPUT = '/input';
