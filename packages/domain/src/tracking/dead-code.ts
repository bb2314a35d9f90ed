/** Statements that test their condition first, unlike `with (0)` and `for (…)`. */
const conditionKeyword = /(?:^|[^\w$.])(if|while)\s{0,4}$/
/** Conditions that are always false, also in minified code. */
const falseLiteral = /^\s*(?:false|0|!1|!true)\s*$/
/** Statements that may end with their own block, unlike an expression with an object or function literal. */
const blockStatement = /(?:(?:if|for|while|do|try|switch|with|function|class)(?![\w$])|[\w$]{1,40}\s{0,4}:)/y
/** If the code contains a `do`, `while (0)` may be its end, and the code after it runs. */
const doKeyword = /(?<![\w$.])do(?![\w$])/
/** Lengths of a constant condition, and of white space and comments after it. */
const [maxConditionLength, maxGapLength] = [20, 500]

/** Counts of open braces and brackets. */
interface Nesting {
  readonly braces: number
  readonly brackets: number
}

/**
 * Tells whether the code at a tokenizer's position is dead because of a condition that is always false. In doubt, code
 * counts as running: a false finding can be checked, but a missed one stays unnoticed.
 * @param spans receives the start and end of each dead section
 */
export function trackDeadCode(source: string, spans: number[]) {
  let dead: (Nesting & { readonly from: number; readonly endsAt: 'block' | 'end' | 'either' }) | null = null
  let hasDo: boolean | undefined

  function end(at: number): void {
    if (dead !== null) spans.push(dead.from, at)
    dead = null
  }

  function isGuard(start: number): boolean {
    const [, word] = conditionKeyword.exec(source.slice(Math.max(0, start - 12), start)) ?? []
    if (word === 'while') hasDo ??= doKeyword.test(source)
    return word === 'if' || (word === 'while' && hasDo === false)
  }

  return {
    isDead: () => dead !== null,
    /** Called after the closing bracket of a condition. */
    endCondition(start: number, conditionEnd: number, nesting: Nesting): void {
      if (dead !== null || conditionEnd - start > maxConditionLength) return
      if (!falseLiteral.test(source.slice(start + 1, conditionEnd - 1)) || !isGuard(start)) return
      const from = findStatement(source, conditionEnd)
      blockStatement.lastIndex = from
      const endsAt = source[from] === '{' ? 'block' : blockStatement.test(source) ? 'either' : 'end'
      dead = { ...nesting, from, endsAt }
    },
    /** Called after each semicolon, line end and block, which may end the dead statement. */
    endStatement(at: number, isBlock: boolean, { braces, brackets }: Nesting): void {
      if (dead === null || at <= dead.from || braces > dead.braces) return
      // The enclosing block has ended.
      if (braces < dead.braces) end(at)
      else if (dead.endsAt === 'block') {
        if (isBlock) end(at)
      } else if (brackets <= dead.brackets && (!isBlock || dead.endsAt === 'either')) end(at)
    },
    /** Called at the end of the code. */
    finish: () => end(source.length),
  }
}

/** Returns the start of the next statement, after white space and comments unless they are too long. */
function findStatement(source: string, conditionEnd: number): number {
  const gap = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(
    source.slice(conditionEnd, conditionEnd + maxGapLength),
  )
  return conditionEnd + (gap?.[0].length ?? 0)
}
