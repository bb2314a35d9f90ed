/** The version of all panels. */
export const pleskVersion = '18.0.70'
