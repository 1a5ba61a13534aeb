"""A hook of mkdocs, for pages that are written to be read on GitHub, too.

Links to files of the repository that are no documents lead to the repository. Fences are as Python's Markdown knows them: at the
beginning of the line, and without a name after the language.
"""

import posixpath
import re

fence = re.compile(r"(?ms)^( *)```(\w*)[^\n]*\n(.*?)^ *```$")
link = re.compile(r"(\]\()((?:\.\./)+[^)\s]*|[\w./-]+\.txt)(\))")


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)

    def absolute(m):
        target, _, anchor = m[2].partition("#")
        path = posixpath.normpath(posixpath.join("docs", folder, target))
        inside = posixpath.relpath(path, "docs")
        if files.get_file_from_path(inside) is not None:
            return m[0]
        return m[1] + config.repo_url.rstrip("/") + "/blob/main/" + path + ("#" + anchor if anchor else "") + m[3]

    def plain(m):
        text = re.sub("(?m)^" + m[1], "", m[3])
        return ("\n" if m[1] else "") + "```" + m[2] + "\n" + text + "```"

    return link.sub(absolute, fence.sub(plain, markdown))
