/** From this number of webs of a node on, of which at least half are down, a failure of the node is the likelier reason. */
export const minWebsOfOutage = 3
