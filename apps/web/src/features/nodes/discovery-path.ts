/** The screen of a node's webs. */
export const discoveryPath = (node: number): string => `/nodes/${node}`
