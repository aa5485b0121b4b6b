# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# fish completion for ptx-predict, which says itself what a word may become: Completion.cpp.

function __ptx_predict_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l option (string match -r -- '^--[^=]*=' (commandline -ct))
    for line in (ptx-predict --complete $words[2..] 2>/dev/null)
        if not string match -q -- ':files *' $line
            echo $line
            continue
        end
        for path in (__fish_complete_path (string sub -s 8 -- $line))
            echo "$option$path"
        end
    end
end

complete -c ptx-predict -f -a '(__ptx_predict_complete)'
