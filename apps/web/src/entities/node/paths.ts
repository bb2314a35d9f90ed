export const nodePath = (name: string): string => `/nodes/${encodeURIComponent(name)}`

/** The screen of a node's webs, compared with those that Kustos knows. */
export const discoveryPath = (node: number): string => `/nodes/${node}/discovery`
